/// Statements that append a member of a class to `list`, of type `[CoreData._ClassMember]`.
enum MemberStatement {
  /// Returns the statement for a property that key-value coding finds.
  static func property(_ type: String, _ name: String, key: String, isExposed: Bool) -> String {
    append(
      type, "\(SourceName.quoted(key)), \\\(type).\(SourceName.spelled(name)), isExposed: \(isExposed)")
  }

  /// Returns the statement for a class member whose name consists of a prefix known to the framework and a key; nil for
  /// another class member.
  static func classMember(_ type: String, _ name: String, isMethod: Bool) -> String? {
    let call = SourceName.spelled(name) + (isMethod ? "()" : "")
    for (prefix, label) in [
      ("keyPathsForValuesAffecting", "affecting"), ("contextShouldIgnoreChangesFor", "ignoringChangesFor"),
    ] {
      guard name.hasPrefix(prefix), name.count > prefix.count else { continue }
      return append(type, "\(label): \(SourceName.quoted(String(name.dropFirst(prefix.count)))), { \(type).\(call) }")
    }
    return nil
  }

  /// Returns the statement for a method that expressions call.
  static func method(_ type: String, _ name: String, labels: [String?], selector: String) -> String {
    let parameters = labels.map { ($0.map(SourceName.spelled) ?? "_") + ":" }.joined()
    let reference = SourceName.spelled(name) + (labels.isEmpty ? "" : "(\(parameters))")
    return append(type, "selector: \(SourceName.quoted(selector)), \(type).\(reference)")
  }

  private static func append(_ type: String, _ arguments: String) -> String {
    "  list.append(CoreData._ClassMember(\(type).self, \(arguments)))\n"
  }
}
