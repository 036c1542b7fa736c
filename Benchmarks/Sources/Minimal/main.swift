import CoreData
import Foundation

// minimal FILE: opens a store, saves one object, and prints the largest resident memory of this process in kB. This is the
// least memory that a program with the framework takes.
let name = NSAttributeDescription()
name.name = "name"
name.attributeType = .stringAttributeType
let entity = NSEntityDescription()
entity.name = "Thing"
entity.properties = [name]
let model = NSManagedObjectModel()
model.entities = [entity]

let container = NSPersistentContainer(name: "Minimal", managedObjectModel: model)
container.persistentStoreDescriptions = [
  NSPersistentStoreDescription(url: URL(fileURLWithPath: CommandLine.arguments[1]))
]
container.loadPersistentStores { _, error in
  if let error { fatalError("\(error)") }
}
let thing = NSManagedObject(entity: entity, insertInto: container.viewContext)
thing.setValue("a name", forKey: "name")
try container.viewContext.save()

// The file is read without Foundation, which would need memory for reading.
var status = [UInt8](repeating: 0, count: 4096)
let file = open("/proc/self/status", O_RDONLY)
let length = max(0, read(file, &status, status.count))
close(file)
for line in String(decoding: status[..<length], as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmHWM:") {
  print(line.filter(\.isNumber))
}
