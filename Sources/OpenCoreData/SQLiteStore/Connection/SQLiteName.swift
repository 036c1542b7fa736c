import Foundation

extension String {
  /// The text as the name of a table or column in SQL.
  var quotedName: String { "\"\(replacingOccurrences(of: "\"", with: "\"\""))\"" }
}
