import CoreData

extension Check {
  static let predicateArchive = Check(
    "D-ARC-11", "keys of the archive of a BEGINSWITH predicate",
    expected: "NSLeftExpression, NSPredicateOperator, NSRightExpression"
  ) {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSPredicate(format: "name BEGINSWITH 'a'"), requiringSecureCoding: true)
    let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    let objects = (list?["$objects"] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
    let predicate = objects.first { $0["NSLeftExpression"] != nil } ?? [:]
    return predicate.keys.filter { !$0.hasPrefix("$") }.sorted().joined(separator: ", ")
  }
}
