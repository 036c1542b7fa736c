/// A feature that some kinds of stores have. A store declares its features; contexts ask for them before they use them, and
/// the suite of `StoreConformance` checks all that are declared.
///
/// Not in Apple's framework, where a program has to know what kinds of stores can do.
public enum OCDStoreAbility: CaseIterable, Sendable {
  // MARK: What objects may have

  /// Members of ordered relationships come in their order.
  case ordering
  /// Transformable and composite attributes are kept.
  case composites
  /// Uniqueness constraints of the model are enforced.
  case uniqueness
  /// Derived attributes are kept up to date, also where other objects change.
  case derivedAttributes
  /// Large values of attributes that allow it are in files of their own.
  case externalStorage

  // MARK: The place of a store

  /// Objects are still there when the store is removed from its coordinator and added again.
  case reopening
  /// The store is files, which can be copied, moved, replaced and destroyed.
  case files
  /// The store can be added for reading only.
  case readOnly
  /// The application's own keys in the metadata are kept.
  case customMetadata

  // MARK: Requests

  /// The store executes an `NSBatchInsertRequest`; without this it is 134091.
  case batchInserts
  /// The store executes an `NSBatchUpdateRequest`; without this it is 134091.
  case batchUpdates
  /// The store executes an `NSBatchDeleteRequest`; without this it is 134091.
  case batchDeletes
  /// Persistent history can be kept, if an option asks for it.
  case history
  /// A context can tell what its store will do for a request, as a plan of the database (`explain`).
  case explanation
  /// Rows are counted by the values of an attribute without being read, as the sections of a results controller need it.
  case grouping

  // MARK: Contexts side by side

  /// Contexts on several threads may read and save at once.
  case concurrency
  /// Contexts can be pinned to a state of the store (`NSQueryGenerationToken`).
  case generations
  /// An asynchronous fetch reads while its context does something else.
  case asynchronousFetches
}
