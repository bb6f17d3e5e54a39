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
      {"bfs_distance",
       "[first_edge, degree, edges, source]: edges to each vertex from the source, -1 if none lead",
       {integers, integers, integers, integer},
       bfs_distance},
      {"byte_histogram",
       "[words]: how often each of the 256 byte values occurs in 32-bit words",
       {integers},
       byte_histogram},
      {"call_payoffs",
       "[options, uniform]: sums of the payoffs and of their squares per option",
       {reals, reals},
       call_payoffs},
      {"dxt1_error",
       "[image]: least squared error of DXT1 per 16 pixels of 4 bytes",
       {integers},
       dxt1_error},
      {"heat",
       "[temperature, power, width, height, steps, flow, loss, ambient]: temperatures after steps",
       {reals, reals, integer, integer, integer, real, real, real},
       heat},
      {"lu",
       "[matrix, n]: L below and U on and above the diagonal, row-major, no pivoting",
       {reals, integer},
       lu},
      {"matmul",
       "[a, b, rows, inner, columns]: a b, row-major",
       {reals, reals, integer, integer, integer},
       matmul},
      {"saxpy", "[alpha, x, y]: alpha x + y", {real, reals, reals}, saxpy},
      {"sum", "[in]: one value, the sum of all", {reals}, sum},
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
       wavelet53}};
  return list;
}

const Reference* find(const std::string& name) {
  const auto found = std::find_if(all().begin(), all().end(),
                                  [&](const Reference& each) { return each.name == name; });
  return found == all().end() ? nullptr : &*found;
}

}  // namespace paws::references
