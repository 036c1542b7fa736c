/// Colours a statement for a terminal (`-com.apple.CoreData.SyntaxColoredLogging YES`): keywords, strings and variables.
enum SQLColoring {
  private static let keyword = "\u{1B}[1;34m", text = "\u{1B}[32m", variable = "\u{1B}[35m", plain = "\u{1B}[0m"

  private static let keywords: Set<Substring> = Set(
    """
    ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CAST COLLATE COLUMN COMMIT CREATE CROSS DEFAULT DELETE DESC DISTINCT \
    DROP ELSE END ESCAPE EXCLUSIVE EXISTS FROM GROUP HAVING IF IMMEDIATE IN INDEX INNER INSERT INTO IS ISNULL JOIN KEY LEFT \
    LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER PRAGMA PRIMARY RENAME REPLACE ROLLBACK SELECT SET TABLE THEN TO TRIGGER \
    UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WITH
    """.split(separator: " "))

  static func color(_ sql: String) -> String {
    var result = ""
    var rest = sql[...]
    while let first = rest.first {
      let token: Substring
      switch first {
      case "'":
        let end = rest.dropFirst().firstIndex(of: "'").map(rest.index(after:)) ?? rest.endIndex
        token = rest[..<end]
        result += text + token + plain
      case "?":
        token = rest.prefix(1)
        result += variable + token + plain
      case _ where first.isLetter || first == "_":
        token = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        result += keywords.contains(token.uppercased()[...]) ? keyword + token + plain : String(token)
      default:
        token = rest.prefix(1)
        result += token
      }
      rest = rest[token.endIndex...]
    }
    return result
  }
}
