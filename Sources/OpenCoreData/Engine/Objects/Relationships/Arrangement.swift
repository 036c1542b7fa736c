/// How the order of members differs from the stored one, without what was removed, followed by what was added.
enum Arrangement {
  /// Not at all.
  case none
  /// In the places of these members alone, each with the position at which it was put there, which may have moved since.
  case placed([ObjectIdentifier: Int])
  /// In any way.
  case whole

  /// Notes that a member was put at a position, and that the others have kept their order.
  mutating func place(_ object: AnyObject, at index: Int) {
    switch self {
    case .none: self = .placed([ObjectIdentifier(object): index])
    case .placed(var places):
      // Given away meanwhile, so that changing the table does not copy it.
      self = .none
      places[ObjectIdentifier(object)] = index
      self = .placed(places)
    case .whole: break
    }
  }

  /// Notes that an object is no member any more.
  mutating func forget(_ object: AnyObject) {
    guard case .placed(var places) = self, places[ObjectIdentifier(object)] != nil else { return }
    self = .none
    places[ObjectIdentifier(object)] = nil
    self = .placed(places)
  }
}
