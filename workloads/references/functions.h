// SPDX-License-Identifier: MIT
// The reference functions, and generators of data that a launch description cannot spell out, one
// file per kind of problem. references.cpp describes the inputs.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "workloads/references/references.h"

namespace paws::references {

/// An integer input that counts something. Throws std::invalid_argument when it is not positive.
inline std::size_t dimension(const Input& input) {
  const std::int64_t value = std::get<std::int64_t>(input);
  if (value <= 0) throw std::invalid_argument("a dimension is not positive");
  return static_cast<std::size_t>(value);
}

Output vectoradd(const std::vector<Input>& inputs);
Output saxpy(const std::vector<Input>& inputs);
Output sum(const std::vector<Input>& inputs);
Output matmul(const std::vector<Input>& inputs);
Output lu(const std::vector<Input>& inputs);
Output partial_lu(const std::vector<Input>& inputs);
Output byte_histogram(const std::vector<Input>& inputs);
Output bfs_distance(const std::vector<Input>& inputs);
Output heat(const std::vector<Input>& inputs);
Output walsh(const std::vector<Input>& inputs);
Output haar(const std::vector<Input>& inputs);
Output wavelet53(const std::vector<Input>& inputs);
Output call_payoffs(const std::vector<Input>& inputs);
Output dxt1_error(const std::vector<Input>& inputs);
Output tracked_rows(const std::vector<Input>& inputs);
Output tracked_columns(const std::vector<Input>& inputs);
Output tracking_scores(const std::vector<Input>& inputs);
Output tracking_templates(const std::vector<Input>& inputs);
Output layer_partial_sums(const std::vector<Input>& inputs);
Output layer_paired_products(const std::vector<Input>& inputs);
Output weight_changes(const std::vector<Input>& inputs);
Output adjusted_weights(const std::vector<Input>& inputs);
Output btree_values(const std::vector<Input>& inputs);
Output btree_ranges(const std::vector<Input>& inputs);
Output clustered_points(const std::vector<Input>& inputs);
Output initial_centres(const std::vector<Input>& inputs);
Output nearest_centre(const std::vector<Input>& inputs);
Output speckled_image(const std::vector<Input>& inputs);
Output image_derivative(const std::vector<Input>& inputs);
Output diffusion_coefficient(const std::vector<Input>& inputs);
Output diffusion_coefficient_for(const std::vector<Input>& inputs);
Output diffused_image(const std::vector<Input>& inputs);
Output tetrahedra_neighbours(const std::vector<Input>& inputs);
Output tetrahedra_normals(const std::vector<Input>& inputs);
Output euler_flux(const std::vector<Input>& inputs);
Output transposed(const std::vector<Input>& inputs);
Output transposed_in_tiles(const std::vector<Input>& inputs);
Output transposed_tiles(const std::vector<Input>& inputs);
Output separable_convolution(const std::vector<Input>& inputs);
Output stencil7(const std::vector<Input>& inputs);
Output call_values(const std::vector<Input>& inputs);
Output put_values(const std::vector<Input>& inputs);
Output traced_image(const std::vector<Input>& inputs);
Output suffix_tree(const std::vector<Input>& inputs);
Output text_samples(const std::vector<Input>& inputs);
Output text_matches(const std::vector<Input>& inputs);
Output xorwow_jumps(const std::vector<Input>& inputs);
Output xorwow_states(const std::vector<Input>& inputs);
Output points_in_circle(const std::vector<Input>& inputs);
Output star_stencil(const std::vector<Input>& inputs);
Output wave_step(const std::vector<Input>& inputs);
Output coulomb_potential(const std::vector<Input>& inputs);
Output lattice_at_rest(const std::vector<Input>& inputs);
Output driven_cavity(const std::vector<Input>& inputs);
Output lattice_step(const std::vector<Input>& inputs);
Output blackjack_winnings(const std::vector<Input>& inputs);
Output sorted(const std::vector<Input>& inputs);
Output noisy_code(const std::vector<Input>& inputs);
Output viterbi_decoded(const std::vector<Input>& inputs);
Output aes_decrypted(const std::vector<Input>& inputs);
Output aes_decryption_keys(const std::vector<Input>& inputs);
Output aes_decryption_tables(const std::vector<Input>& inputs);
Output option_values(const std::vector<Input>& inputs);
Output alignment_scores(const std::vector<Input>& inputs);
Output ascii_text(const std::vector<Input>& inputs);
Output two_sides(const std::vector<Input>& inputs);
Output random_mask(const std::vector<Input>& inputs);
Output row_trips(const std::vector<Input>& inputs);
Output causal_attention(const std::vector<Input>& inputs);
Output paged_attention(const std::vector<Input>& inputs);
Output layer_norm(const std::vector<Input>& inputs);
Output rms_norm(const std::vector<Input>& inputs);
Output softmax(const std::vector<Input>& inputs);
Output rotary_table(const std::vector<Input>& inputs);
Output rotary(const std::vector<Input>& inputs);
Output biased_gelu(const std::vector<Input>& inputs);
Output swiglu(const std::vector<Input>& inputs);
Output int8_product(const std::vector<Input>& inputs);
Output int4_product(const std::vector<Input>& inputs);
Output top_k(const std::vector<Input>& inputs);
Output sampled_tokens(const std::vector<Input>& inputs);
Output expert_slots(const std::vector<Input>& inputs);
Output rows_by_expert(const std::vector<Input>& inputs);
Output rows_of_tokens(const std::vector<Input>& inputs);
Output shuffled(const std::vector<Input>& inputs);
Output irregular_rows(const std::vector<Input>& inputs);
Output irregular_columns(const std::vector<Input>& inputs);
Output ell_columns(const std::vector<Input>& inputs);
Output ell_values(const std::vector<Input>& inputs);
Output sparse_product(const std::vector<Input>& inputs);
Output digit_counts(const std::vector<Input>& inputs);
Output digit_offsets(const std::vector<Input>& inputs);
Output sorted_by_digit(const std::vector<Input>& inputs);
Output prefix_sums(const std::vector<Input>& inputs);
Output distinct_keys(const std::vector<Input>& inputs);
Output joined_values(const std::vector<Input>& inputs);
Output zipf_tokens(const std::vector<Input>& inputs);
Output table_rows(const std::vector<Input>& inputs);
Output table_gradient(const std::vector<Input>& inputs);
Output moving_mean(const std::vector<Input>& inputs);
Output adamw_weights(const std::vector<Input>& inputs);

}  // namespace paws::references
