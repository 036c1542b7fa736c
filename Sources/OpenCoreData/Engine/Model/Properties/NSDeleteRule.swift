/// How the deletion of an object affects the objects at the other end of a relationship.
public enum NSDeleteRule: UInt, Sendable {
  /// Nothing: the other end keeps a reference to an object that is gone.
  case noActionDeleteRule = 0
  /// The other end's reference back is cleared.
  case nullifyDeleteRule = 1
  /// The other end is deleted too.
  case cascadeDeleteRule = 2
  /// The deletion fails (code 1600) while there is an object at the other end.
  case denyDeleteRule = 3
}
