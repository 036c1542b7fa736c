#if PostgreSQL
  import CoreData
  import Foundation

  /// What a store has of one owner, read in several ways.
  struct SoakView {
    private var items: [String: SoakItem] = [:]
    private var members: [String: Set<String>] = [:], marked: [String: Set<String>] = [:]
    private var count = 0, objectCount = 0
    private var numbers: [String: Int] = [:]
    private var ledger: [Int] = []

    init(_ context: NSManagedObjectContext, owner: String) throws {
      let objects = try context.all("Item", "tag BEGINSWITH '\(owner).'")
      objectCount = objects.count
      for object in objects { items[SoakItem.tag(object)] = SoakItem(object) }
      for group in try context.all("Group", "tag BEGINSWITH '\(owner)/'") {
        members[SoakItem.tag(group)] = Self.tags(group)
      }
      for mark in try context.all("Mark", "tag BEGINSWITH '\(owner)/'") { marked[SoakItem.tag(mark)] = Self.tags(mark) }
      let request = NSFetchRequest<NSDictionary>(entityName: "Item")
      request.predicate = NSPredicate(format: "tag BEGINSWITH '\(owner).'")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["tag", "number"]
      for values in try context.fetch(request) { numbers[values["tag"] as? String ?? "?"] = values["number"] as? Int }
      let counting = NSFetchRequest<NSManagedObject>(entityName: "Item")
      counting.predicate = request.predicate
      count = try context.count(for: counting)
      ledger = try context.all("Ledger", "tag == '\(owner)'").map { $0.value(forKey: "number") as? Int ?? -1 }
    }

    private static func tags(_ object: NSManagedObject) -> Set<String> {
      Set((object.value(forKey: "items") as? Set<NSManagedObject> ?? []).map(SoakItem.tag))
    }

    func differences(from wanted: [String: SoakItem], _ saveNumber: Int, _ owner: String) -> [String] {
      var found: [String] = []
      for tag in Set(wanted.keys).union(items.keys).sorted() where wanted[tag] != items[tag] {
        found.append("\(tag) is \(Self.text(items[tag])), not \(Self.text(wanted[tag]))")
      }
      func expect(_ isRight: Bool, _ what: String) { if !isRight { found.append("\(owner): \(what)") } }
      for number in 0..<SoakPlan.groups {
        let tag = "\(owner)/g\(number)"
        expect(members[tag] == Set(wanted.filter { $0.value.group == tag }.keys), "the members of \(tag)")
      }
      for number in 0..<SoakPlan.marks {
        let tag = "\(owner)/m\(number)"
        expect(marked[tag] == Set(wanted.filter { $0.value.marks.contains(tag) }.keys), "the items of \(tag)")
      }
      expect(count == wanted.count && objectCount == wanted.count, "\(count) and \(objectCount) are \(wanted.count)")
      expect(numbers == wanted.mapValues(\.number), "the numbers of dictionaries")
      expect(ledger == [saveNumber], "the ledger \(ledger) is \(saveNumber)")
      return found
    }

    private static func text(_ item: SoakItem?) -> String {
      guard let item else { return "not there" }
      return "\(item.number) \(item.text.prefix(8)) \(item.text.count) \(item.group ?? "-") \(item.marks.sorted())"
    }
  }
#endif
