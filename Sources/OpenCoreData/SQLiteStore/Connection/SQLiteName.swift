import Foundation

extension String {
  /// The text quoted as the name of a table or column in SQL.
  var quotedName: String { "\"\(replacingOccurrences(of: "\"", with: "\"\""))\"" }
}
