import CoreDataTools

/// An object in addresses and forms: `Person/p1`, and `Person/new1` for an object that was never saved.
enum EditReference: Hashable, Sendable, LosslessStringConvertible {
  case stored(ObjectReference)
  case new(entity: String, number: Int)

  init?(_ description: String) {
    if let reference = ObjectReference(description) {
      self = .stored(reference)
      return
    }
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("new"), let number = Int(parts[1].dropFirst(3)),
      number > 0
    else { return nil }
    self = .new(entity: String(parts[0]), number: number)
  }

  var description: String {
    switch self {
    case .stored(let reference): "\(reference)"
    case .new(let entity, let number): "\(entity)/new\(number)"
    }
  }

  var entity: String {
    switch self {
    case .stored(let reference): reference.entity
    case .new(let entity, _): entity
    }
  }
}
