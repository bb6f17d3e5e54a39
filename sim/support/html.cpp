// SPDX-License-Identifier: MIT
#include "sim/support/html.h"

#include <stdexcept>

namespace paws {

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

void fill(std::string& page, const std::string& name, const std::string& text) {
  const std::string mark = "<!--" + name + "-->";
  const std::size_t place = page.find(mark);
  if (place == std::string::npos) throw std::logic_error("the page lacks " + mark);
  page.replace(place, mark.size(), text);
}

}  // namespace paws
