// SPDX-License-Identifier: MIT
// A step of the optimizer AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization",
// algorithm 2). A thread has four weights with their gradients and both moments.

struct AdamW {
  float rate, epsilon, weight_decay;
  float first_decay, first_share, first_correction;  // decay, 1 - decay, 1 - decay^steps
  float second_decay, second_share, second_correction;
};

__device__ void update(float& weight, float gradient, float& first, float& second, AdamW step) {
  first = step.first_decay * first + step.first_share * gradient;
  second = step.second_decay * second + step.second_share * gradient * gradient;
  const float mean = first / step.first_correction;
  const float root = sqrtf(second / step.second_correction) + step.epsilon;
  weight -= step.rate * (mean / root + step.weight_decay * weight);
}

__global__ void adamw(float4* weights, const float4* gradients, float4* firsts, float4* seconds,
                      int count, AdamW step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float4 weight = weights[i];
  const float4 gradient = gradients[i];
  float4 first = firsts[i];
  float4 second = seconds[i];
  update(weight.x, gradient.x, first.x, second.x, step);
  update(weight.y, gradient.y, first.y, second.y, step);
  update(weight.z, gradient.z, first.z, second.z, step);
  update(weight.w, gradient.w, first.w, second.w, step);
  weights[i] = weight;
  firsts[i] = first;
  seconds[i] = second;
}
