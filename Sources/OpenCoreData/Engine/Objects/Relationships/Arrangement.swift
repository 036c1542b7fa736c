/// How the order of members differs from the expected one: the stored members without those that were removed, followed
/// by those that were added.
enum Arrangement {
  /// The order does not differ.
  case none
  /// Only these members are elsewhere; each has the position at which it was put, from which it may have moved since.
  case placed([ObjectIdentifier: Int])
  /// The whole order may differ.
  case whole

  /// Notes that a member was put at a position, and that the others have kept their order.
  mutating func place(_ object: AnyObject, at index: Int) {
    switch self {
    case .none: self = .placed([ObjectIdentifier(object): index])
    case .placed(var places):
      // The table is moved out of `self` meanwhile, so that changing it does not copy it.
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
