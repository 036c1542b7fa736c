import Foundation

/// The places that a form gives to the members of an ordered relationship.
struct MemberOrder: Sendable {
  let relationship: String
  /// The members in the order that the page showed.
  let shown: [EditReference]
  /// The same members in the order that is asked for.
  let wanted: [EditReference]

  /// Nil where no place was changed.
  /// - Parameter places: What was typed for each of the members that were shown, which counts from 1.
  /// - Throws: a `FieldMistake` for a place that is no number.
  init?(_ relationship: String, shown: [EditReference], places: [String]) throws {
    guard shown.count == places.count else { return nil }
    let numbers = try places.map { text in
      guard let number = Int(text.trimmingCharacters(in: .whitespaces)), number > 0 else {
        throw FieldMistake("Expected places from 1 to \(shown.count), found “\(text.prefix(20))”.")
      }
      return number
    }
    // One that was moved up comes before the one whose place it takes, one that was moved down after it.
    let order = shown.indices.sorted { one, other in
      func key(_ index: Int) -> (Int, Int, Int) { (numbers[index], (numbers[index] - index - 1).signum(), index) }
      return key(one) < key(other)
    }
    guard order != Array(shown.indices) else { return nil }
    self.relationship = relationship
    self.shown = shown
    wanted = order.map { shown[$0] }
  }
}
