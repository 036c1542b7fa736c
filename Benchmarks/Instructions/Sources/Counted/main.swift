import CoreData
import Foundation

// counted WORK SIZE: does the work as often as SIZE says, over a private store that is the same for every size. The
// difference between two sizes is what the work itself costs.
let works: [(name: String, run: (Stack, Int) throws -> Void)] = [
  ("fetch a row into an object", { stack, size in try stack.items(size, asFaults: false).touch() }),
  (
    "fetch a fault, and fire it from the row cache",
    { stack, size in
      var sum = 0
      for item in try stack.items(size, asFaults: true) { sum &+= Int(item.rating) }
      keep(sum)
    }
  ),
  (
    "fire a fault from the store",
    { stack, size in
      let items = try stack.items(4_000, asFaults: true)
      stack.coordinator.emptyRowCache()
      var sum = 0
      for item in items.prefix(size) { sum &+= Int(item.rating) }
      keep(sum)
    }
  ),
  (
    "read an attribute",
    { stack, size in
      let items = try stack.items(100, asFaults: false)
      var sum = 0
      for _ in 0..<size / 100 { for item in items { sum &+= Int(item.rating) } }
      keep(sum)
    }
  ),
  (
    "read an attribute by key",
    { stack, size in
      let items = try stack.items(100, asFaults: false)
      var sum = 0
      for _ in 0..<size / 100 { for item in items where item.value(forKey: "rating") != nil { sum &+= 1 } }
      keep(sum)
    }
  ),
  (
    "write an attribute",
    { stack, size in
      let items = try stack.items(100, asFaults: false)
      for round in 0..<size / 100 { for item in items { item.rating = Int64(round) } }
    }
  ),
  (
    "walk a member of a to-many relationship",
    { stack, size in
      let owners = try stack.context.fetch(Owner.fetchRequest() as NSFetchRequest<Owner>)
      var count = 0
      for owner in owners.prefix(size / 10) {
        for case let item as Item in owner.items ?? NSSet() { count += item.isDeleted ? 0 : 1 }
      }
      guard count == size else { throw WrongCount(found: count) }
    }
  ),
  (
    "fetch an owner of three, and read its members",
    { stack, size in
      try stack.saveSmallOwners()
      try stack.readSmallOwners(size, prefetching: false)
    }
  ),
  (
    "fetch an owner of three with its members, and read them",
    { stack, size in
      try stack.saveSmallOwners()
      try stack.readSmallOwners(size, prefetching: true)
    }
  ),
  (
    "find an object of a set of 100 by SELF IN",
    { stack, size in
      let items = try stack.items(4_000, asFaults: false)
      for round in 0..<size / 100 {
        let request = Item.fetchRequest() as NSFetchRequest<Item>
        request.predicate = NSPredicate(format: "SELF IN %@", Array(items[round * 100..<round * 100 + 100]))
        guard try stack.context.fetch(request).count == 100 else { throw WrongCount(found: 0) }
      }
    }
  ),
  (
    "find an object of an NSSet of 500 by SELF IN",
    { stack, size in
      let items = try stack.items(4_000, asFaults: false)
      for round in 0..<size / 500 {
        let request = Item.fetchRequest() as NSFetchRequest<Item>
        request.predicate = NSPredicate(
          format: "SELF IN %@", NSSet(array: Array(items[round * 500..<round * 500 + 500])))
        request.returnsObjectsAsFaults = false
        guard try stack.context.fetch(request).count == 500 else { throw WrongCount(found: 0) }
      }
    }
  ),
  (
    "change an object, all saved at once",
    { stack, size in
      for item in try stack.items(size, asFaults: false) { item.rating += 1 }
      try stack.context.save()
    }
  ),
  (
    "delete an object, all saved at once",
    { stack, size in
      for item in try stack.items(size, asFaults: false) { stack.context.delete(item) }
      try stack.context.save()
    }
  ),
  (
    "open a new store, a twentieth of an entity",
    { _, size in
      let model = NSManagedObjectModel()
      model.entities = (0..<size / 20).map { number in
        let entity = NSEntityDescription()
        entity.name = "Entity\(number)"
        entity.properties = (0..<5).map { place in
          let attribute = NSAttributeDescription()
          attribute.name = "attribute\(place)"
          attribute.attributeType = .stringAttributeType
          return attribute
        }
        return entity
      }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
    }
  ),
  (
    "insert a row by a batch's handler of dictionaries",
    { stack, size in
      var number = 0
      let request = NSBatchInsertRequest(entity: Item.entity()) { (row: NSMutableDictionary) in
        if number == size { return true }
        row["title"] = "New item"
        row["rating"] = number
        row["weight"] = 1.5
        number += 1
        return false
      }
      try stack.context.execute(request)
    }
  ),
  (
    "insert a row by a batch's handler of objects",
    { stack, size in
      var number = 0
      let request = NSBatchInsertRequest(entity: Item.entity()) { (object: NSManagedObject) in
        guard number < size, let item = object as? Item else { return true }
        item.title = "New item"
        item.rating = Int64(number)
        item.weight = 1.5
        number += 1
        return false
      }
      try stack.context.execute(request)
    }
  ),
  ("insert an object", { stack, size in try stack.insert(size) }),
  (
    "insert and save an object, all in one save",
    { stack, size in
      try stack.insert(size)
      try stack.context.save()
    }
  ),
  (
    "change an object and save it, one in a save",
    { stack, size in
      let items = try stack.items(100, asFaults: false)
      for round in 0..<size / 100 {
        for item in items {
          item.rating = Int64(round) + 7
          try stack.context.save()
        }
      }
    }
  ),
  (
    "parse a predicate",
    { _, size in
      for number in 0..<size {
        _ = NSPredicate(format: "text BEGINSWITH[cd] %@ AND number > %d AND %K != nil", "A", number, "text")
      }
    }
  ),
  (
    "lower a predicate, and fetch nothing by it",
    { stack, size in
      for number in 0..<size {
        let request = Empty.fetchRequest() as NSFetchRequest<Empty>
        request.predicate = NSPredicate(format: "text == 'A' AND number > %d", number)
        keep(try stack.context.fetch(request).count)
      }
    }
  ),
]

let all = works + Ordered.works
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "--scale", let size = Int(CommandLine.arguments[3]) {
  try Scale.run(CommandLine.arguments[2], size)
  exit(0)
}
guard CommandLine.arguments.count == 3, let size = Int(CommandLine.arguments[2]),
  let work = all.first(where: { $0.name == CommandLine.arguments[1] })
else {
  print(all.map(\.name).joined(separator: "\n"))
  exit(CommandLine.arguments.count == 1 ? 0 : 64)
}
try work.run(Stack(), size)
