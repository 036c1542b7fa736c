/// How the deletion of an object affects the objects at the other end of a relationship.
///
/// ```swift
/// let rules = Entry.entity().relationshipsByName.mapValues(\.deleteRule.rawValue)
/// print(rules["pages"] ?? 0, rules["tags"] ?? 0)  // 2 1
/// ```
///
/// See also ``NSRelationshipDescription/deleteRule``.
public enum NSDeleteRule: UInt, Sendable {
  /// Nothing: the other end keeps a reference to an object that is gone. It saves reading the members, and leaves the
  /// rest to you; a fault behind such a reference counts as deleted when it fires.
  case noActionDeleteRule = 0
  /// The other end's reference back is cleared: the members stay, without their owner. The default, for what lives by
  /// itself. Members whose reference is mandatory then fail the save with 1570: cascade or deny is what is meant there.
  ///
  /// ```swift
  /// context.delete(try fetchEntry("Wednesday", in: context))
  /// try context.save()
  /// print(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")))  // 2
  /// ```
  case nullifyDeleteRule = 1
  /// The other end is deleted, too, and what its own rules lead to: for parts of a whole. The members are read for
  /// that, by a few statements for all objects that are deleted in one event.
  ///
  /// ```swift
  /// context.delete(try fetchEntry("Monday", in: context))
  /// context.processPendingChanges()
  /// print(context.deletedObjects.filter { $0 is Page }.count)  // 2
  /// ```
  case cascadeDeleteRule = 2
  /// The deletion fails (code 1600) while there is an object at the other end that is not deleted, too: the save
  /// throws, not `delete(_:)`.
  case denyDeleteRule = 3
}
