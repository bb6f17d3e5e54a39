// SPDX-License-Identifier: MIT
#include "workloads/references/references.h"

#include <algorithm>

#include "workloads/references/functions.h"

namespace paws::references {

const std::vector<Reference>& all() {
  using enum Kind;
  // Of the references that track points.
  static const std::string tracking_inputs =
      "[scene, anchor_rows, anchor_columns, width, height, move, frames, template_side, "
      "window_side, max_move, update_every, overlay_every]: ";
  static const std::vector<Kind> tracking_kinds{reals,   integers, integers, integer,
                                                integer, integer,  integer,  integer,
                                                integer, integer,  integer,  integer};
  static const std::vector<Reference> list{
      {"adjusted_weights",
       "[delta, input, weights, last_change, rate, momentum]: weights after back-propagation",
       {reals, reals, reals, reals, real, real},
       adjusted_weights},
      {"bfs_distance",
       "[first_edge, degree, edges, source]: edges to each vertex from the source, -1 if none lead",
       {integers, integers, integers, integer},
       bfs_distance},
      {"btree_ranges",
       "[keys, child, order, height, queries]: ranges of keys, searched in a B+ tree",
       {integers, integers, integer, integer, integers},
       btree_ranges},
      {"btree_values",
       "[keys, child, order, height, records, queries]: keys, searched in a B+ tree",
       {integers, integers, integer, integer, integers, integers},
       btree_values},
      {"byte_histogram",
       "[words]: how often each of the 256 byte values occurs in 32-bit words",
       {integers},
       byte_histogram},
      {"call_payoffs",
       "[options, uniform]: sums of the payoffs and of their squares per option",
       {reals, reals},
       call_payoffs},
      {"clustered_points",
       "[points, features, clusters, seed]: integers from 0 to 255, one feature of all points "
       "after the other",
       {integer, integer, integer, integer},
       clustered_points},
      {"diffused_image",
       "[image, coefficient, rows, step]: the image after a step of anisotropic diffusion",
       {reals, reals, integer, real},
       diffused_image},
      {"diffusion_coefficient",
       "[image, rows]: the coefficients of speckle reducing anisotropic diffusion",
       {reals, integer},
       diffusion_coefficient},
      {"dxt1_error",
       "[image]: least squared error of DXT1 per 16 pixels of 4 bytes",
       {integers},
       dxt1_error},
      {"euler_flux",
       "[neighbour, normal, state, far_state]: fluxes through the cells' faces, 5 quantities",
       {integers, reals, reals, reals},
       euler_flux},
      {"heat",
       "[temperature, power, width, height, steps, flow, loss, ambient]: temperatures after steps",
       {reals, reals, integer, integer, integer, real, real, real},
       heat},
      {"image_derivative",
       "[image, rows, down, right]: the pixel so far down and right minus each pixel",
       {reals, integer, integer, integer},
       image_derivative},
      {"initial_centres",
       "[centres, features, clusters, seed]: the first of clustered_points, one after the other",
       {integer, integer, integer, integer},
       initial_centres},
      {"layer_paired_products",
       "[input, weights, hidden, height]: input x weight, summed in pairs in blocks of height rows",
       {reals, reals, integer, integer},
       layer_paired_products},
      {"layer_partial_sums",
       "[input, weights, hidden, height]: sums of input x weight over blocks of height input units",
       {reals, reals, integer, integer},
       layer_partial_sums},
      {"lu",
       "[matrix, n]: L below and U on and above the diagonal, row-major, no pivoting",
       {reals, integer},
       lu},
      {"matmul",
       "[a, b, rows, inner, columns]: a b, row-major",
       {reals, reals, integer, integer, integer},
       matmul},
      {"nearest_centre",
       "[points, centres, features, clusters]: the centre nearest to each point",
       {reals, reals, integer, integer},
       nearest_centre},
      {"saxpy", "[alpha, x, y]: alpha x + y", {real, reals, reals}, saxpy},
      {"speckled_image",
       "[rows, columns, seed]: a bright disc under multiplicative noise, column-major",
       {integer, integer, integer},
       speckled_image},
      {"sum", "[in]: one value, the sum of all", {reals}, sum},
      {"tetrahedra_neighbours",
       "[width, depth, height]: the cells beyond the 4 faces of each tetrahedron of a mesh",
       {integer, integer, integer},
       tetrahedra_neighbours},
      {"tetrahedra_normals",
       "[width, depth, height, seed]: the normals of these faces in x, y and z",
       {integer, integer, integer, integer},
       tetrahedra_normals},
      {"tracked_columns", tracking_inputs + "column of each point in each frame", tracking_kinds,
       tracked_columns},
      {"tracked_rows", tracking_inputs + "row of each point in each frame", tracking_kinds,
       tracked_rows},
      {"tracking_scores", tracking_inputs + "correlation found there, 0 in the first frame",
       tracking_kinds, tracking_scores},
      {"tracking_templates", tracking_inputs + "templates after the last frame", tracking_kinds,
       tracking_templates},
      {"vectoradd", "[a, b]: a + b", {reals, reals}, vectoradd},
      {"walsh",
       "[data, rows, columns]: Walsh-Hadamard transform of each column, natural order",
       {reals, integer, integer},
       walsh},
      {"wavelet53",
       "[image, width, height, levels]: red, green and blue plane, reversible 5/3 wavelet",
       {integers, integer, integer, integer},
       wavelet53},
      {"weight_changes",
       "[delta, input, last_change, rate, momentum]: changes of weights by back-propagation",
       {reals, reals, reals, real, real},
       weight_changes}};
  return list;
}

const Reference* find(const std::string& name) {
  const auto found = std::find_if(all().begin(), all().end(),
                                  [&](const Reference& each) { return each.name == name; });
  return found == all().end() ? nullptr : &*found;
}

}  // namespace paws::references
