import Foundation
import OpenCocoaFoundation

/// Decides what a save does where others have changed the same rows, or have taken values that must be unique. Set it
/// as a context's ``NSManagedObjectContext/mergePolicy``.
///
/// A save looks for all conflicts of a store at once, has the policy of its context resolve them, and tries again. A
/// subclass overrides one of the `resolve` methods, and calls super with the conflicts that it does not resolve by
/// itself. For a conflict that it resolves without super, it has to bring the object up to date by
/// `context.refresh(object, mergeChanges: true)`. Values that are set on an object after super was called are saved.
///
/// | | both changed | deleted in the store | changed in the store, deleted here |
/// |---|---|---|---|
/// | error | 133020 | 133020 | 133020 |
/// | store trump | the store's values where both changed a property | stays deleted | stays |
/// | object trump | the context's values where both changed a property | stays deleted | is deleted |
/// | overwrite | all of the context's values | is inserted again | is deleted |
/// | rollback | all of the store's values | stays deleted | stays |
///
/// ```swift
/// let entry = try fetchEntry("Monday", in: context)
/// (entry.rating, entry.words) = (5, 500)
/// let id = entry.objectID
/// try await container.performBackgroundTask { context in
///   (context.object(with: id) as? Entry)?.rating = 1  // somebody is faster
///   try context.save()
/// }
/// context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
/// try context.save()
/// print(entry.rating, entry.words)  // 1 500
/// ```
///
/// To-one relationships are merged like attributes. To-many relationships keep the members that were added and removed
/// here, on top of the members that the store has now; rollback drops these changes. An object that both sides have
/// deleted is no conflict (D-CTX-09); a policy that leaves a conflict unresolved fails the save with 133020 (D-CTX-19).
/// Batch inserts ask for the type alone (D-BAT-08).
open class NSMergePolicy: NSObject {
  private let type: NSMergePolicyType

  /// Whether a new object replaces the members of the stored row whose unique values it has, under object trump and overwrite;
  /// else the two lists are united. See ``init(merge:replacingMembers:)``.
  public let replacesMembers: Bool

  /// Makes a policy of that type: for subclasses, and for policies like the constants.
  ///
  /// ```swift
  /// final class NewerDateWins: NSMergePolicy {
  ///   override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
  ///     try super.resolve(optimisticLockingConflicts: list)
  ///     for conflict in list {
  ///       guard let entry = conflict.sourceObject as? Entry,
  ///         let stored = conflict.persistedSnapshot?["date"] as? Date, stored > entry.date ?? .distantPast
  ///       else { continue }
  ///       entry.date = stored
  ///     }
  ///   }
  /// }
  ///
  /// context.mergePolicy = NewerDateWins(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// print((context.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)  // true
  /// ```
  /// - Parameter ty: how the policy resolves what a subclass leaves to it.
  ///
  /// See also ``mergeByPropertyObjectTrump``.
  public init(merge ty: NSMergePolicyType) {
    type = ty
    replacesMembers = false
  }

  /// Makes a policy of that type that says what becomes of the members of a stored row where a new object has the row's unique
  /// values.
  ///
  /// Without this, the row keeps its members and gets those of the new object, so that an import never takes a member away. With
  /// `replacingMembers`, under object trump and overwrite, the row has the members of the new object afterwards, in their order.
  /// Under object trump, a new object without members of a relationship leaves the row's as they are, as with attributes that
  /// were not set; under overwrite, the row has none then. A member whose relationship to its only owner is not optional stays.
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType, replacingMembers: true)
  /// let tag = Tag(context: context)
  /// tag.name = "swift"
  /// tag.addToEntries(try fetchEntry("Monday", in: context))
  /// try context.save()
  /// print(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")), tag.entries?.count ?? 0)  // 2 1
  /// ```
  ///
  /// Apple's framework does not have it (D-EXT-28). How a policy resolves conflicts with rows that others have changed does not depend on it.
  /// - Parameters:
  ///   - ty: how the policy resolves what a subclass leaves to it.
  ///   - replacingMembers: whether the members are replaced.
  public init(merge ty: NSMergePolicyType, replacingMembers: Bool) {
    type = ty
    replacesMembers = replacingMembers
  }

  /// How the policy resolves conflicts that no subclass resolves. A batch insert asks for this alone (D-BAT-08).
  open var mergeType: NSMergePolicyType { type }

  /// Resolves conflicts by the policy's type; `resolve(optimisticLockingConflicts:)` calls it.
  /// - Parameter list: `NSMergeConflict`s; `NSConstraintConflict`s among them are resolved, too.
  /// - Throws: 133020, or 133021 if there are only conflicts of constraints, where the type is error.
  open func resolve(mergeConflicts list: [Any]) throws {
    try resolve(versions: list.compactMap { $0 as? NSMergeConflict })
    try resolve(constraints: list.compactMap { $0 as? NSConstraintConflict })
  }

  /// Resolves conflicts with rows that others have changed or deleted since the context read them.
  /// - Throws: 133020 with the conflicts where the type is error.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws { try resolve(mergeConflicts: list) }

  /// Resolves conflicts about values that must be unique; called after the conflicts with changed rows are resolved.
  ///
  /// One object is left. Where a row has the values already, store trump and rollback keep that row and drop the inserted
  /// object; object trump gives the row the values that were set on the new object, and overwrite all of its values. The
  /// row keeps its ID, and the new object becomes the row's, unless the context has an object of the row. Members and
  /// owners of the object that goes move to the one that stays, beside its own; a policy can replace the members
  /// (``init(merge:replacingMembers:)``). A saved object that was given another one's values takes
  /// the place of the other one under object trump and overwrite, and gets its own values back under the other two.
  /// - Throws: 133021 with the conflicts where the type is error.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws { try resolve(constraints: list) }

  private func resolve(versions list: [NSMergeConflict]) throws {
    if list.isEmpty { return }
    if type == .errorMergePolicyType { throw NSError(mergeConflicts: list) }
    try VersionConflictResolver(type).resolve(list)
  }

  private func resolve(constraints list: [NSConstraintConflict]) throws {
    if list.isEmpty { return }
    if type == .errorMergePolicyType { throw NSError(constraintConflicts: list) }
    try ConstraintConflictResolver(type, replacesMembers: replacesMembers).resolve(list)
  }

  /// Tells the type and the class.
  open override var description: String {
    "<\(Swift.type(of: self)): 0x\(String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16))> (\(type))"
  }
}
