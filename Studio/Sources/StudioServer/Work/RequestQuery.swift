import Foundation
import Hummingbird

extension Request {
  /// Returns a value behind the question mark of the address, as a form or a script has written it: `+` is a space, and a plus
  /// that was typed comes as `%2B`. (Hummingbird's own parameters do not tell the two apart.)
  func parameter(_ name: String) -> String? {
    for pair in (uri.query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts[0] == name else { continue }
      return parts.count > 1 ? parts[1].replacing("+", with: " ").removingPercentEncoding ?? "" : ""
    }
    return nil
  }
}
