/// A feature that some kinds of stores have. A store declares its features; contexts check for a feature before they use
/// it, and the suite of `StoreConformance` tests every feature that a store declares.
///
/// Not in Apple's framework, where a program has to know what each kind of store can do.
public enum OCDStoreAbility: CaseIterable, Sendable {
  // MARK: What objects may have

  /// The members of ordered relationships keep their order.
  case ordering
  /// Transformable and composite attributes are kept.
  case composites
  /// Uniqueness constraints of the model are enforced.
  case uniqueness
  /// Derived attributes are kept up to date, also when other objects change.
  case derivedAttributes
  /// Large values of attributes that allow external storage are in files of their own.
  case externalStorage

  // MARK: The place of a store

  /// Objects are still there when the store is removed from its coordinator and added again.
  case reopening
  /// The store consists of files, which can be copied, moved, replaced and destroyed.
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
  /// A context can show how the store executes a request, as a plan of the database (`explain`).
  case explanation
  /// The store counts rows by the values of an attribute without reading them, for the sections of a results controller.
  case grouping

  // MARK: Contexts side by side

  /// Contexts on several threads may read and save at once.
  case concurrency
  /// Contexts can be pinned to a state of the store (`NSQueryGenerationToken`).
  case generations
  /// An asynchronous fetch reads while its context does other work.
  case asynchronousFetches
}
