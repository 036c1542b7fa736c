import CoreData
import Foundation

func cpu() -> Double {
  var t = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t)
  return Double(t.tv_sec) * 1e3 + Double(t.tv_nsec) / 1e6
}
func rss() -> Int {
  let text = try! String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS") }!
  return Int(line.split(separator: " ")[1])! / 1024
}
func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
  let a = NSAttributeDescription()
  a.name = name
  a.attributeType = type
  a.isOptional = true
  return a
}
let arguments = CommandLine.arguments
let count = Int(arguments[1])!, sections = Int(arguments[2])!, batch = Int(arguments[3])!
let reads = arguments[4], controllers = Int(arguments[5])!
let entity = NSEntityDescription()
entity.name = "Row"
entity.managedObjectClassName = "NSManagedObject"
entity.properties = [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType), attribute("kind", .integer64AttributeType)]
let index = NSFetchIndexDescription(name: "byNumber", elements: [NSFetchIndexElementDescription(property: entity.attributesByName["number"]!, collationType: .binary)])
entity.indexes = [index]
let model = NSManagedObjectModel()
model.entities = [entity]
let url = URL(fileURLWithPath: "/work/h2/.hc/tmp/probe-\(count)-\(sections).sqlite")
let isNew = !FileManager.default.fileExists(atPath: url.path)
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
_ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
context.persistentStoreCoordinator = coordinator
let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
other.persistentStoreCoordinator = coordinator
let per = max(1, count / max(1, sections))
if isNew {
  try other.performAndWait {
    var n = 0
    let request = NSBatchInsertRequest(entityName: "Row", dictionaryHandler: { d in
      if n == count { return true }
      d["name"] = "name \(n)"
      d["number"] = n * 10
      d["kind"] = n / per
      n += 1
      return false
    })
    _ = try other.execute(request)
  }
}
final class Delegate: NSFetchedResultsControllerDelegate {
  var seen = 0
  func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?) {
    if let newIndexPath {
      let o = controller.object(at: newIndexPath)
      seen += controller.indexPath(forObject: o)!.item & 1
    }
  }
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    switch reads {
    case "objects": seen += controller.fetchedObjects!.count
    case "sections": seen += controller.sections![controller.sections!.count / 2].numberOfObjects
    default: break
    }
  }
}
final class SnapshotDelegate: NSFetchedResultsControllerDelegate {
  var seen = 0
  func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference) {
    seen += snapshot.numberOfItems
  }
}
nonisolated(unsafe) var saved: Notification?
let token = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: other, queue: nil) { saved = $0 }
func figures(_ times: [Double]) -> String {
  let s = times.sorted()
  return String(format: "first %.3f median %.3f mean-rest %.3f max-rest %.3f", times[0], s[s.count / 2], times.dropFirst().reduce(0, +) / Double(times.count - 1), times.dropFirst().max()!)
}
var made: [NSFetchedResultsController<NSManagedObject>] = []
var delegates: [AnyObject] = []
try context.performAndWait {
  let base = rss()
  let start = cpu()
  for _ in 0..<controllers {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Row")
    request.sortDescriptors = (sections > 0 ? [NSSortDescriptor(key: "kind", ascending: true)] : []) + [NSSortDescriptor(key: "number", ascending: true)]
    request.fetchBatchSize = batch
    let controller = NSFetchedResultsController(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections > 0 ? "kind" : nil, cacheName: nil)
    if reads == "snapshot" {
      let d = SnapshotDelegate()
      controller.delegate = d
      delegates.append(d)
    } else {
      let d = Delegate()
      controller.delegate = d
      delegates.append(d)
    }
    try controller.performFetch()
    made.append(controller)
  }
  let fetched = cpu() - start
  _ = made[0].object(at: [0, 0])
  let afterFetch = rss()
  var random = SystemRandomNumberGenerator()
  var inserts: [Double] = [], renames: [Double] = []
  let rounds = count >= 1_000_000 ? 30 : 60
  var newOnes: [NSManagedObjectID] = []
  for round in 0..<rounds {
    try other.performAndWait {
      let o = NSManagedObject(entity: entity, insertInto: other)
      let n = Int.random(in: 0..<count, using: &random)
      o.setValue("new \(round)", forKey: "name")
      o.setValue(n * 10 + 5, forKey: "number")
      o.setValue(n / per, forKey: "kind")
      try other.save()
      newOnes.append(o.objectID)
    }
    let t = cpu()
    context.mergeChanges(fromContextDidSave: saved!)
    inserts.append(cpu() - t)
  }
  let afterInserts = rss()
  for round in 0..<rounds {
    let section = sections > 0 ? Int.random(in: 0..<sections) : 0
    let item = sections > 0 ? 0 : Int.random(in: 0..<count)
    let o = made[0].object(at: [section, item])
    _ = o.value(forKey: "name")
    let t = cpu()
    o.setValue("renamed \(round)", forKey: "name")
    o.setValue(Int.random(in: 0..<count * 10), forKey: "number")
    context.processPendingChanges()
    renames.append(cpu() - t)
  }
  print("rows \(count) sections \(sections) batch \(batch) reads \(reads) controllers \(controllers): fetch \(String(format: "%.1f", fetched)) ms")
  print("  insert", figures(inserts))
  print("  rename", figures(renames))
  print("  memory MB: base \(base) fetched \(afterFetch) after inserts \(afterInserts) end \(rss())")
  context.reset()
  // The store stays as it was.
  try other.performAndWait {
    for id in newOnes { other.delete(other.object(with: id)) }
    try other.save()
  }
}
