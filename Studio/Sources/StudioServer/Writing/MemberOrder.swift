import Foundation

/// The places that a form assigns to the members of an ordered relationship.
struct MemberOrder: Sendable {
  let relationship: String
  /// The members in the order that the page showed.
  let shown: [EditReference]
  /// The same members in the requested order.
  let wanted: [EditReference]

  /// Creates an order from typed places; nil if no place was changed.
  /// - Parameter places: The place that was typed for each of the shown members; the first place is 1.
  /// - Throws: A `FieldMistake` for a place that is not a number.
  init?(_ relationship: String, shown: [EditReference], places: [String]) throws {
    guard shown.count == places.count else { return nil }
    let numbers = try places.map { text in
      guard let number = Int(text.trimmingCharacters(in: .whitespaces)), number > 0 else {
        throw FieldMistake("Expected places from 1 to \(shown.count), found “\(text.prefix(20))”.")
      }
      return number
    }
    // A member that was moved up comes before the member at its new place; a member that was moved down comes after it.
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
