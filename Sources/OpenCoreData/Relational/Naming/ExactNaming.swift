import Foundation
internal import VersionHashing

/// The model's own names, for a database that quotes names. Parts of a name are joined by a dot, which no property name
/// contains. Columns that belong to no property begin with an underscore.
package struct ExactNaming: SQLNaming {
  /// The largest number of bytes in a name. The database would cut a longer name without an error.
  package let longestName: Int

  package let otherTables = ["_store", "_entity", "_commit", "_change", "_reader", "_horizon"]
  package let ignoresCase = false
  package let pairColumns: SQLPairColumns? = SQLPairColumns(
    owner: "_owner", member: "_member", memberPlace: "_pos", ownerPlace: "_ownerPos")

  package func table(of entity: String) -> String { fitted(entity) }

  package func column(of keyPath: [String]) -> String { fitted(keyPath.joined(separator: ".")) }

  package func key(of relationship: String) -> String { fitted(relationship) }

  package func entityNumber(besides key: String, root: Int) -> String { fitted("\(key)._ent") }

  package func place(besides key: String) -> String { fitted("\(key)._pos") }

  package func owner(of relationship: String, _ entity: (name: String, number: Int), existing: [String]) -> String {
    fitted("\(entity.name).\(relationship)")
  }

  package func pairs(of relationship: String, _ entity: (name: String, number: Int)) -> String {
    fitted("\(entity.name).\(relationship)")
  }

  /// Cuts a name that is too long, and appends a hash that distinguishes the name from others with the same beginning.
  private func fitted(_ name: String) -> String {
    guard name.utf8.count > longestName else { return name }
    let hash = SHA2.sha256(Data(name.utf8)).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    var kept = "", left = longestName - hash.utf8.count - 1
    for scalar in name.unicodeScalars {
      left -= UTF8.width(scalar)
      if left < 0 { break }
      kept.unicodeScalars.append(scalar)
    }
    return "\(kept)~\(hash)"
  }
}
