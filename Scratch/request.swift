import CoreData
import Foundation
let model = NSManagedObjectModel()
func attribute(_ n: String, _ t: NSAttributeType) -> NSAttributeDescription { let a = NSAttributeDescription(); a.name = n; a.attributeType = t; a.isOptional = true; return a }
let note = NSEntityDescription(); note.name = "Note"; note.managedObjectClassName = "NSManagedObject"
let owner = NSEntityDescription(); owner.name = "Owner"; owner.managedObjectClassName = "NSManagedObject"
let toOwner = NSRelationshipDescription(); toOwner.name = "owner"; toOwner.destinationEntity = owner; toOwner.maxCount = 1; toOwner.isOptional = true
let notes = NSRelationshipDescription(); notes.name = "notes"; notes.destinationEntity = note; notes.isOptional = true
toOwner.inverseRelationship = notes; notes.inverseRelationship = toOwner
note.properties = [attribute("title", .stringAttributeType), attribute("score", .integer64AttributeType), attribute("created", .dateAttributeType), toOwner]
owner.properties = [attribute("name", .stringAttributeType), notes]
note.propertiesByName["title"]!.isIndexed = true; owner.propertiesByName["name"]!.isIndexed = true
model.entities = [note, owner]
let url = URL(fileURLWithPath: CommandLine.arguments[1])
let fresh = !FileManager.default.fileExists(atPath: url.path)
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
_ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
if fresh {
  let c = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType); c.persistentStoreCoordinator = coordinator
  try c.performAndWait {
    for o in 0..<100 {
      let w = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: c); w.setValue("owner \(o)", forKey: "name")
      for i in 0..<100 { let n = NSEntityDescription.insertNewObject(forEntityName: "Note", into: c); n.setValue("note \(i)", forKey: "title"); n.setValue((i * 37 + o * 11) % 1000, forKey: "score"); n.setValue(w, forKey: "owner") }
    }
    try c.save()
  }
}
let mode = CommandLine.arguments[2]
let count = Int(CommandLine.arguments[3])!
var sum = 0
let t0 = clock()
for i in 0..<count {
  let c = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType); c.persistentStoreCoordinator = coordinator
  c.undoManager = nil
  try c.performAndWait {
    let r = NSFetchRequest<NSManagedObject>(entityName: "Note")
    if mode.contains("f") || mode.contains("s") {
      r.predicate = NSPredicate(format: "owner.name == %@ AND score >= %d", "owner \(i % 100)", i % 50)
      r.sortDescriptors = [NSSortDescriptor(key: "score", ascending: false)]
      r.fetchLimit = 20
      let found = try c.fetch(r)
      for n in found { sum += n.value(forKey: "score") as! Int }
      if mode.contains("s"), let n = found.first { n.setValue("note \(i)", forKey: "title"); try c.save() }
    }
    if mode.contains("p") { sum += NSPredicate(format: "owner.name == %@ AND score >= %d", "owner \(i % 100)", i % 50).hash & 1 }
    if mode.contains("1") {
      r.predicate = NSPredicate(format: "title == %@", "note \(i % 50)"); r.fetchLimit = 1
      sum += try c.fetch(r).count
    }
  }
}
print(mode, Double(clock() - t0) / Double(count), "us", sum)
