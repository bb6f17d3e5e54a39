// SPDX-License-Identifier: MIT
// Arithmetic over named numbers, in which the table of microbenchmarks states what is measured and
// what is expected.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace paws::micro {

/// The value of `text`: numbers, names (letters, digits, `_` and `.`), + - * / with their usual
/// precedence, parentheses, comparisons < <= (1 or 0), min(...), max(...), ceil(x), floor(x),
/// gcd(a, b) and if(condition, then, else). `value_of` gives the value of a name and throws
/// InputError for an unknown one. Throws InputError that quotes `text` when it is no formula.
double evaluate(std::string_view text, const std::function<double(const std::string&)>& value_of);

}  // namespace paws::micro
