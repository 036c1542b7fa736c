#if PostgreSQL
  import CoreData

  /// The model of the soak, and what its processes report.
  enum SoakModel {
    static let counters = 8

    /// Items in groups and with marks, which their contexts own; counters, which everybody counts up; for each context a
    /// ledger with the number of its last save.
    static func make() -> NSManagedObjectModel {
      let tag = { BatchModels.attribute("tag", .stringAttributeType) }
      let number = { BatchModels.attribute("number", .integer64AttributeType, 0) }
      let item = BatchModels.entity("Item", [tag(), number(), BatchModels.attribute("text", .stringAttributeType)])
      let group = BatchModels.entity("Group", [tag()]), mark = BatchModels.entity("Mark", [tag()])
      BatchModels.relate(group, "items", max: 0, item, "group", max: 1)
      BatchModels.relate(item, "marks", max: 0, mark, "items", max: 0)
      let counter = BatchModels.entity("Counter", [tag(), number()])
      let ledger = BatchModels.entity("Ledger", [tag(), number()])
      return BatchModels.model([item, group, mark, counter, ledger])
    }

    static var options: [String: Any] { [NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 240] }
  }

  /// An item as its context has it in memory.
  struct SoakItem: Codable, Equatable, Sendable {
    var number: Int
    var text: String
    var group: String?
    var marks: Set<String>

    init(number: Int, text: String, group: String?, marks: Set<String>) {
      (self.number, self.text, self.group, self.marks) = (number, text, group, marks)
    }

    /// As an object has it.
    init(_ object: NSManagedObject) {
      number = object.value(forKey: "number") as? Int ?? -1
      text = object.value(forKey: "text") as? String ?? "?"
      group = (object.value(forKey: "group") as? NSManagedObject).map(Self.tag)
      marks = Set((object.value(forKey: "marks") as? Set<NSManagedObject> ?? []).map(Self.tag))
    }

    static func tag(_ object: NSManagedObject) -> String { object.value(forKey: "tag") as? String ?? "?" }
  }

  /// What a context has done, or all contexts of a process.
  struct SoakReport: Codable, Sendable {
    var items: [String: SoakItem] = [:]
    /// How often each counter was counted up.
    var counted = Array(repeating: 0, count: SoakModel.counters)
    /// The number of the last save, by the context's name.
    var ledgers: [String: Int] = [:]
    var saves = 0, looks = 0, conflicts = 0, doubts = 0
    /// How many requests and saves have thrown, by the errors' codes.
    var failures: [Int: Int] = [:]
    var differences: [String] = []

    mutating func add(_ other: SoakReport) {
      items.merge(other.items) { first, _ in first }
      counted = zip(counted, other.counted).map(+)
      ledgers.merge(other.ledgers) { first, _ in first }
      saves += other.saves
      looks += other.looks
      conflicts += other.conflicts
      doubts += other.doubts
      failures.merge(other.failures, uniquingKeysWith: +)
      differences += other.differences.prefix(20)
    }
  }
#endif
