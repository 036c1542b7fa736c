/// The pending changes of a context of a running program.
public struct LiveChanges: Codable, Sendable {
  /// One changed object.
  public struct Change: Codable, Sendable {
    /// One value that has changed.
    public struct Value: Codable, Sendable {
      /// The name of the property.
      public let property: String
      /// The value in words; nil for none.
      public let old, new: String?
      /// True if the old value has not been read.
      public let oldIsUnknown: Bool?
    }
    /// The object, as `Photo/p12`; `t` in place of `p` for one without a row.
    public let object: String
    /// The name of the entity.
    public let entity: String
    /// `inserted`, `updated` or `deleted`.
    public let kind: String
    /// The changed values.
    public let values: [Value]
  }
  /// Why the context has not answered, in words.
  public let busy: String?
  /// The changed objects, up to the limit.
  public let changes: [Change]
  /// The number of all changed objects.
  public let count: Int
}

/// The registered objects of a context of a running program.
public struct LiveObjectList: Codable, Sendable {
  /// One registered object.
  public struct Object: Codable, Sendable {
    /// The object, as `Photo/p12`.
    public let object: String
    /// Whether the object is a fault.
    public let isFault: Bool
    /// What is pending for the object.
    public let change: String?
  }
  /// The objects of one entity.
  public struct Entity: Codable, Sendable {
    /// The name of the entity.
    public let name: String
    /// The numbers among the objects that were looked at.
    public let objects, faults: Int
  }
  /// Why the context has not answered, in words.
  public let busy: String?
  /// The entities, by name.
  public let entities: [Entity]
  /// Objects, up to the limit.
  public let objects: [Object]
  /// The number of objects that were looked at; of all registered objects.
  public let looked, count: Int
}

/// Which pending objects of a context a predicate holds for.
public struct LiveMatches: Codable, Sendable {
  /// An object for which a value is missing.
  public struct Fault: Codable, Sendable {
    /// The object, and the fault that would fire.
    public let object, wouldFire: String
  }
  /// Why the context has not answered, in words.
  public let busy: String?
  /// The number of inserted and updated objects that were asked.
  public let asked: Int
  /// The objects for which the predicate holds.
  public let matches: [String]
  /// The objects for which it is not known.
  public let faults: [Fault]
  /// What is wrong with the predicate.
  public let failure: String?
}

/// Events of a running program.
public struct LiveEvents: Codable, Sendable {
  /// A fetch, a fault, a save, a statement or a finding.
  public struct Event: Codable, Sendable {
    /// The number of the event.
    public let number: Int
    /// When the event ended, in seconds since 1970.
    public let time: Double
    /// As `fetch`, `objectFault`, `relationshipFault`, `save`, `statement`, `finding`.
    public let kind: String
    /// The framework's number of the thread.
    public let thread: UInt64
    /// The entity; the relationship with its entity.
    public let entity, relationship: String?
    /// A predicate without values, a statement, or a finding in words.
    public let text: String?
    /// What to do about a finding, and the function that caused it.
    public let advice, caller: String?
    /// Rows that were read, or objects that were inserted.
    public let rows: Int
    /// Of a save.
    public let updated, deleted: Int?
    /// True if the activity has thrown an error.
    public let failed: Bool?
    /// How long it took.
    public let milliseconds: Double
  }
  /// The events, oldest first.
  public let events: [Event]
  /// The number to ask from the next time.
  public let next: Int
  /// The number of events that were lost, since nobody asked in time.
  public let lost: Int
}
