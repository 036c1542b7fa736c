/// How the deletion of an object affects the objects at the other end of a relationship.
///
/// ```swift
/// let rules = Entry.entity().relationshipsByName.mapValues(\.deleteRule.rawValue)
/// print(rules["pages"] ?? 0, rules["tags"] ?? 0)  // 2 1
/// ```
///
/// See also ``NSRelationshipDescription/deleteRule``.
public enum NSDeleteRule: UInt, Sendable {
  /// Does nothing: the other end keeps a reference to an object that is gone. The members need not be read, but the
  /// references are left to you. A fault behind such a reference counts as deleted when it fires.
  case noActionDeleteRule = 0
  /// Clears the other end's reference back: the members stay, without their owner. The default, for members that can
  /// exist alone. If their reference is mandatory, the save fails with 1570: use cascade or deny for such members.
  ///
  /// ```swift
  /// context.delete(try fetchEntry("Wednesday", in: context))
  /// try context.save()
  /// print(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")))  // 2
  /// ```
  case nullifyDeleteRule = 1
  /// Deletes the other end, too, and applies the other end's own rules: for parts of a whole. The members are read for
  /// this, by a few statements for all objects that are deleted in one event.
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
