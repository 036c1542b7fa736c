import CoreData
import Foundation

/// counted --scale WORK COUNT: one operation on that many objects, with the time of the processor for each.
///
/// What an object costs among a million, over what it costs among 10,000, tells how an operation grows. Under callgrind the
/// same program tells whether more instructions are executed for each, or the same ones wait for memory.
enum Scale {
  static var works: [(name: String, prepare: (Stack, Int) throws -> () throws -> Void)] {
    [
      ("nothing", { stack, count in { _ = stack.context } }),
      (
        "insert",
        { stack, count in
          {
            insert(count, stack.context)
            try stack.context.save()
          }
        }
      ),
      (
        "fetch",
        { stack, count in
          try filled(stack, count)
          return { keep(try all(stack.context).count) }
        }
      ),
      (
        "fetch again",
        { stack, count in
          try filled(stack, count)
          let objects = try all(stack.context)
          return { keep(try all(stack.context).count + objects.count) }
        }
      ),
      (
        "merge changes",
        { stack, count in
          try filled(stack, count)
          let objects = try all(stack.context)
          let changed = try changes(stack, count) { context in
            for (place, object) in try all(context).enumerated() where place % 10 == 0 { object.number += 1 }
          }
          return {
            stack.context.mergeChanges(fromContextDidSave: changed)
            keep(objects.count)
          }
        }
      ),
      (
        "merge inserts",
        { stack, count in
          let inserted = try changes(stack, count) { insert(count, $0) }
          return { stack.context.mergeChanges(fromContextDidSave: inserted) }
        }
      ),
      (
        "delete half",
        { stack, count in
          try filled(stack, count)
          let objects = try all(stack.context)
          return {
            for place in stride(from: 0, to: objects.count, by: 2) { stack.context.delete(objects[place]) }
            try stack.context.save()
          }
        }
      ),
    ]
  }

  static func run(_ name: String, _ count: Int) throws {
    guard let work = works.first(where: { $0.name == name }) else { return print(works.map(\.name)) }
    let stack = try Stack()
    let operation = try work.prepare(stack, count)
    let start = clock()
    try operation()
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    print("\(name) \(count): \(String(format: "%.3f", seconds * 1_000_000 / Double(count))) us an object")
  }

  private static func insert(_ count: Int, _ context: NSManagedObjectContext) {
    for number in 0..<count {
      let object = Empty(context: context)
      object.text = "Object \(number)"
      object.number = Int64(number)
    }
  }

  private static func all(_ context: NSManagedObjectContext) throws -> [Empty] {
    let request = Empty.fetchRequest() as NSFetchRequest<Empty>
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }

  /// Puts objects into the store, and lets go of them.
  private static func filled(_ stack: Stack, _ count: Int) throws {
    insert(count, stack.context)
    try stack.context.save()
    stack.context.reset()
    stack.coordinator.emptyRowCache()
  }

  /// What another context tells of a save.
  private static func changes(
    _ stack: Stack, _ count: Int, _ change: @escaping (NSManagedObjectContext) throws -> Void
  ) throws -> Notification {
    let other = stack.container.newBackgroundContext()
    nonisolated(unsafe) var told: Notification?
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: other, queue: nil
    ) { told = $0 }
    defer { NotificationCenter.default.removeObserver(observer) }
    try other.performAndWait {
      try change(other)
      try other.save()
    }
    guard let told else { throw WrongCount(found: 0) }
    return told
  }
}
