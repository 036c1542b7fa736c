import CoreData

/// A migration policy as applications write them: its methods are found by their selectors, it by its bare name.
final class ShoutingPolicy: NSEntityMigrationPolicy {
  func shout(_ text: String?, times: Int) -> String? {
    text.map { Array(repeating: $0.uppercased(), count: times).joined(separator: " ") }
  }
}
