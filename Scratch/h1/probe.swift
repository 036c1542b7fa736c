import CoreData
import Foundation
import Glibc

func cpu() -> Double {
  var t = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)
  return Double(t.tv_sec) * 1e6 + Double(t.tv_nsec) / 1e3
}
func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
  let a = NSAttributeDescription(); a.name = name; a.attributeType = type; a.isOptional = true; return a
}
let entity = NSEntityDescription()
entity.name = "Thing"
let number = attribute("number", .integer64AttributeType)
entity.properties = [number, attribute("name", .stringAttributeType), attribute("price", .doubleAttributeType), attribute("note", .stringAttributeType)]
entity.indexes = [NSFetchIndexDescription(name: "byNumber", elements: [NSFetchIndexElementDescription(property: number, collationType: .binary)])]
let model = NSManagedObjectModel()
model.entities = [entity]
let path = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : "/dev/null"
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
func make(_ c: NSManagedObjectContext, _ n: Int) {
  let o = NSManagedObject(entity: entity, insertInto: c)
  o.setValue(n, forKey: "number"); o.setValue("name \(n)", forKey: "name"); o.setValue(1.5, forKey: "price")
}
func context() -> NSManagedObjectContext {
  let c = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  c.persistentStoreCoordinator = coordinator
  c.undoManager = nil
  return c
}
let what = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "all"
if what == "insert" {
  let c = context()
  try c.performAndWait {
    for n in 0..<100_000 { make(c, n) }
    try c.save()
  }
  exit(0)
}
let first = context()
try first.performAndWait {
  for n in 0..<20_000 { make(first, n) }
  try first.save()
}
func measure(_ title: String, _ format: String, _ values: @escaping (Int) -> Any, inserts: Int, updates: Int, key: String = "note", child: Bool = false, rounds: Int) throws {
  let top = context()
  let c: NSManagedObjectContext
  if child { c = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType); c.parent = top } else { c = top }
  try top.performAndWait {
    for n in 0..<inserts { make(top, 1_000_000 + n) }
    if updates > 0 {
      let r = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      r.fetchLimit = updates
      r.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      for o in try top.fetch(r) { o.setValue(key == "note" ? "x" as Any : (o.value(forKey: key) as! Int) + 5_000_000 as Any, forKey: key) }
    }
  }
  try c.performAndWait {
    func one(_ n: Int) throws {
      let r = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      r.predicate = NSPredicate(format: format, argumentArray: [values(n)])
      r.fetchLimit = 1
      _ = try c.fetch(r)
    }
    let f0 = cpu()
    try one(3)
    let f1 = cpu()
    for n in 0..<rounds / 4 { try one(n) }
    var best = Double.infinity
    for _ in 0..<5 {
      let a = cpu()
      for n in 0..<rounds { try one(n) }
      best = min(best, (cpu() - a) / Double(rounds))
    }
    print(title, "inserts", inserts, "updates", updates, child ? "child" : "", "first \(Int(f1 - f0)) then \(String(format: "%.1f", best)) us")
  }
}
let r = Int(CommandLine.arguments.count > 3 ? CommandLine.arguments[3] : "400")!
for n in [0, 100, 1000, 10_000] { try measure("number ==", "number == %@", { 10_000 + $0 }, inserts: n, updates: 0, rounds: n == 10_000 ? r / 4 : r) }
for n in [1000, 10_000] { try measure("number == hit", "number == %@", { 1_000_000 + $0 % 1000 }, inserts: n, updates: 0, rounds: r / 4) }
for n in [1000, 10_000] { try measure("number ==", "number == %@", { 10_000 + $0 }, inserts: 0, updates: n, rounds: r / 4) }
for n in [1000, 10_000] { try measure("touched", "number == %@", { 10_000 + $0 }, inserts: 0, updates: n, key: "number", rounds: r / 8) }
for n in [0, 1000, 10_000] { try measure("BEGINSWITH", "number < 100 AND name BEGINSWITH %@", { "zz\($0)" }, inserts: n, updates: 0, rounds: r / 8) }
for n in [0, 1000, 10_000] { try measure("[cd]", "number < 100 AND name ==[cd] %@", { "zz\($0)" }, inserts: n, updates: 0, rounds: r / 8) }
for n in [0, 1000, 10_000] { try measure("number ==", "number == %@", { 10_000 + $0 }, inserts: n, updates: 0, child: true, rounds: r / 4) }
for n in [1000, 10_000] { try measure("number ==", "number == %@", { 10_000 + $0 }, inserts: 0, updates: n, child: true, rounds: r / 4) }
