import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// An item whose name begins its section.
final class CatalogItem: NSManagedObject {
  override func value(forUndefinedKey key: String) -> Any? {
    key == "initial"
      ? (value(forKey: "title") as? String).map { String($0.prefix(1)) } : super.value(forUndefinedKey: key)
  }
}

/// Items on shelves, and a context with a controller of items.
enum Catalog {
  typealias Item = CatalogItem

  static func model() -> NSManagedObjectModel {
    let item = TestModel.entity(
      "Item",
      [
        TestModel.attribute("title", .stringAttributeType), TestModel.attribute("kind", .stringAttributeType),
        TestModel.attribute("rank", .integer32AttributeType, 0),
        TestModel.attribute("serial", .integer64AttributeType, 0),
        TestModel.attribute("isActive", .booleanAttributeType, true), TestModel.attribute("note", .stringAttributeType),
        TestModel.attribute("added", .dateAttributeType), TestModel.attribute("weight", .doubleAttributeType),
      ])
    let folded = NSDerivedAttributeDescription()
    (folded.name, folded.attributeType) = ("folded", .stringAttributeType)
    folded.derivationExpression = NSExpression(format: "canonical:(title)")
    item.properties.append(folded)
    item.managedObjectClassName = NSStringFromClass(Item.self)
    let special = TestModel.entity("Special", [TestModel.attribute("extra", .stringAttributeType)], parent: item)
    special.managedObjectClassName = NSStringFromClass(Item.self)
    let shelf = TestModel.entity("Shelf", [TestModel.attribute("label", .stringAttributeType)])
    let size = NSDerivedAttributeDescription()
    (size.name, size.attributeType) = ("size", .integer64AttributeType)
    size.derivationExpression = NSExpression(format: "items.@count")
    shelf.properties.append(size)
    TestModel.relate(item, "shelf", max: 1, shelf, "items", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [item, special, shelf]
    return model
  }

  static func context(_ store: TestStore = .sqlite, url: URL? = nil) throws -> NSManagedObjectContext {
    TestModel.context(try store.coordinator(model(), url: url))
  }

  static func request(_ keys: String...) -> NSFetchRequest<Item> {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    return request
  }

  static func controller(
    _ request: NSFetchRequest<Item>, _ context: NSManagedObjectContext, sections: String? = nil, cache: String? = nil
  ) -> NSFetchedResultsController<Item> {
    NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: cache)
  }

  /// Saves items with titles; the kind is each title's first letter, the rank its place in the list.
  @discardableResult
  static func fill(_ context: NSManagedObjectContext, _ titles: String...) throws -> [NSManagedObject] {
    let items = titles.enumerated().map { index, title in
      context.insert("Item", ["title": title, "kind": String(title.prefix(1)), "rank": index, "serial": index])
    }
    try context.save()
    return items
  }
}

extension NSFetchedResultsController where ResultType == Catalog.Item {
  var titles: [String]? { fetchedObjects?.map { $0.text("title") ?? "nil" } }

  /// Titles by sections.
  var lists: [[String]]? {
    sections?.map { ($0.objects ?? []).map { ($0 as? NSManagedObject)?.text("title") ?? "nil" } }
  }

  var sectionNames: [String]? { sections?.map(\.name) }
}

/// Writes down the calls of a controller.
final class RecordingDelegate: NSFetchedResultsControllerDelegate {
  var calls: [String] = []
  var controllers: [NSFetchedResultsController<any NSFetchRequestResult>] = []
  /// What the controller had when changes were announced.
  var before: [String] = []
  var onWillChange: () -> Void = {}

  private func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    controllers.append(controller)
    calls.append("will")
    before = controller.fetchedObjects?.map { ($0 as? NSManagedObject)?.text("title") ?? "nil" } ?? []
    onWillChange()
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
  ) {
    calls.append("section \(type) \(sectionIndex) \(sectionInfo.name)")
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let title = (anObject as? NSManagedObject).map { $0.isDetached ? "gone" : $0.text("title") ?? "nil" } ?? "?"
    calls.append("\(type) \(title) \(text(indexPath)) \(text(newIndexPath))")
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    calls.append("did")
  }

  func take() -> [String] {
    defer { calls = [] }
    return calls
  }
}

/// A list that is kept up to date by what a controller tells, and by nothing else.
final class MirroringDelegate: NSFetchedResultsControllerDelegate {
  private enum Step: Int { case idle, announced, sections, objects }

  private(set) var names: [String] = []
  private(set) var lists: [[NSManagedObject]] = []
  private(set) var counts = (inserts: 0, deletes: 0, moves: 0, updates: 0, sections: 0)
  private var step = Step.idle
  private var removed: [IndexPath] = []
  private var added: [(path: IndexPath, object: NSManagedObject)] = []
  private var updated: [(old: IndexPath, new: IndexPath, object: NSManagedObject)] = []
  private var deletedSections: [Int] = []
  private var insertedSections: [(Int, String)] = []
  private(set) var problems: [String] = []

  func begin(with controller: NSFetchedResultsController<Catalog.Item>) {
    names = controller.sections?.map(\.name) ?? []
    lists = controller.sections?.map { ($0.objects ?? []).compactMap { $0 as? NSManagedObject } } ?? []
  }

  private func enter(_ next: Step, from allowed: Step...) {
    if !allowed.contains(step) { problems.append("\(next) after \(step)") }
    step = next
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    enter(.announced, from: .idle)
    if controller.fetchedObjects?.map({ $0 as? NSManagedObject }) != lists.flatMap({ $0 }) {
      problems.append("the controller has changed too early")
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
  ) {
    enter(.sections, from: .announced, .sections)
    counts.sections += 1
    switch type {
    case .insert: insertedSections.append((sectionIndex, sectionInfo.name))
    case .delete:
      deletedSections.append(sectionIndex)
      if names[sectionIndex] != sectionInfo.name { problems.append("another section has gone") }
    default: problems.append("a section with \(type)")
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    enter(.objects, from: .announced, .sections, .objects)
    guard let object = anObject as? NSManagedObject else { return problems.append("no object") }
    if let indexPath, lists[indexPath.section][indexPath.item] !== object { problems.append("another old path") }
    if let newIndexPath, controller.object(at: newIndexPath) as? NSManagedObject !== object {
      problems.append("another new path")
    }
    switch (type, indexPath, newIndexPath) {
    case (.insert, nil, let new?):
      added.append((new, object))
      counts.inserts += 1
    case (.delete, let old?, nil):
      removed.append(old)
      counts.deletes += 1
    case (.move, let old?, let new?):
      removed.append(old)
      added.append((new, object))
      counts.moves += 1
    case (.update, let old?, let new?):
      updated.append((old, new, object))
      counts.updates += 1
    default: problems.append("\(type) with \(indexPath as Any), \(newIndexPath as Any)")
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    enter(.idle, from: .sections, .objects)
    for path in removed.sorted(by: >) { lists[path.section].remove(at: path.item) }
    for section in deletedSections.sorted(by: >) {
      if !lists[section].isEmpty { problems.append("a section went with objects that nothing was said of") }
      lists.remove(at: section)
      names.remove(at: section)
    }
    for (section, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) {
      lists.insert([], at: section)
      names.insert(name, at: section)
    }
    for (path, object) in added.sorted(by: { $0.path < $1.path }) { lists[path.section].insert(object, at: path.item) }
    for update in updated where lists[update.new.section][update.new.item] !== update.object {
      problems.append("an updated object is elsewhere")
    }
    (removed, added, updated, deletedSections, insertedSections) = ([], [], [], [], [])
  }

  /// Compares the list with what the controller has, and that with what its context would fetch.
  func check(_ controller: NSFetchedResultsController<Catalog.Item>, _ note: String) throws {
    #expect(problems.isEmpty, "\(note)")
    problems = []
    let found = controller.fetchedObjects ?? []
    let isSame =
      lists.flatMap { $0 } == found && names == controller.sections?.map(\.name)
      && lists.map(\.count) == controller.sections?.map(\.numberOfObjects)
    #expect(isSame, "\(note): the mirror differs")
    let fresh = try controller.managedObjectContext.fetch(controller.fetchRequest)
    #expect(found == fresh, "\(note): a new fetch differs")
    guard let keyPath = controller.sectionNameKeyPath else { return }
    var runs: [String] = []
    for object in fresh {
      let name = object.value(forKeyPath: keyPath) as? String ?? ""
      if runs.last != name { runs.append(name) }
    }
    #expect(names == runs, "\(note): other sections")
  }
}
