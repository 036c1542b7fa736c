import CoreData
import Foundation
import FuzzSupport
import Testing

@_spi(Store) @testable import OpenCoreData

/// Ordered relationships among those whose inverse does not lead back: several to-many relationships are stored in one
/// column, with or without an order.
@Suite struct UnevenOrderTests {
  typealias Facts = UnevenFacts

  private func model(_ pictures: Bool, _ sketches: Bool) throws -> NSManagedObjectModel {
    try Gallery.model(Gallery.ordered(pictures: pictures, sketches: sketches))
  }

  private func make(_ entity: String, _ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(name, forKey: entity == "Picture" ? "title" : "name")
    return object
  }

  /// A list without order is not read in that of another one: its members are looked up by their keys.
  @Test(arguments: TestStore.all, ["pictures", "sketches"])
  func aListWithoutOrderLosesAMember(_ store: TestStore, _ ordered: String) throws {
    let other = ordered == "pictures" ? "sketches" : "pictures"
    let coordinator = try store.coordinator(model(ordered == "pictures", ordered == "sketches"), url: nil)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let ada = make("Painter", "ada", context), pictures = (0..<3).map { make("Picture", "\($0)", context) }
      try context.save()
      ada.setValue(NSOrderedSet(array: pictures.reversed()), forKey: ordered)
      try context.save()
    }
    for number in 0..<3 {
      let context = TestModel.context(coordinator)
      try context.performAndWait {
        let ada = try #require(try Facts.objects("Painter", context).first)
        #expect(Facts.members(ada, ordered) == (number..<3).reversed().map { "\($0)" })
        #expect(Facts.members(ada, other) == (number..<3).map { "\($0)" })
        // Both lists have been read.
        try Facts.objects("Picture", context)[number].setValue(nil, forKey: "painter")
        #expect(Facts.members(ada, ordered) == (number + 1..<3).reversed().map { "\($0)" })
        #expect(Facts.members(ada, other) == (number + 1..<3).map { "\($0)" })
        try context.save()
      }
    }
  }

  /// Of two ordered lists in one column the first one's order is stored, whatever is done to the other.
  @Test(arguments: TestStore.all.filter(\.isOfTables)) func theFirstListKeepsItsOrder(_ store: TestStore) throws {
    let coordinator = try store.coordinator(model(true, true), url: nil)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let ada = make("Painter", "ada", context), pictures = (0..<3).map { make("Picture", "\($0)", context) }
      ada.setValue(NSOrderedSet(array: [pictures[1], pictures[2], pictures[0]]), forKey: "pictures")
      try context.save()
      ada.mutableOrderedSetValue(forKey: "sketches").moveObjects(at: [0], to: 2)
      try context.save()
      #expect(Facts.members(ada, "pictures") == ["1", "2", "0"])
    }
    func check(_ order: [String]) throws {
      let fresh = TestModel.context(coordinator)
      try fresh.performAndWait {
        let ada = try #require(try Facts.objects("Painter", fresh).first)
        #expect(Facts.members(ada, "pictures") == order && Facts.members(ada, "sketches") == order)
      }
    }
    try check(["1", "2", "0"])
    // What is cached of the second list follows.
    try context.performAndWait {
      let ada = try #require(try Facts.objects("Painter", context).first)
      ada.mutableOrderedSetValue(forKey: "pictures").moveObjects(at: [2], to: 0)
      try context.save()
    }
    try check(["0", "1", "2"])
  }

  /// Two contexts change and save in turn. After each save they and a new one agree, and each list has what the column
  /// says.
  @Test(arguments: TestStore.all, [(false, true), (true, false), (true, true)])
  func atRandom(_ store: TestStore, _ order: (pictures: Bool, sketches: Bool)) throws {
    let facts = Facts(unordered: order.pictures && order.sketches ? ["sketches"] : [])
    let title = "uneven order \(order.pictures) \(order.sketches) in \(store.name)"
    try FuzzCampaign(title, cases: 10).run { seed in
      var random = SeededGenerator(seed: seed)
      let coordinator = try store.coordinator(model(order.pictures, order.sketches), url: nil)
      let contexts = (0..<2).map { _ in TestModel.context(coordinator) }
      for context in contexts {
        context.automaticallyMergesChangesFromParent = true
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      }
      try contexts[0].performAndWait {
        for (entity, count) in [("Painter", 3), ("Picture", 4), ("Tag", 3)] {
          for number in 0..<count { _ = make(entity, "\(entity)\(number)", contexts[0]) }
        }
        try contexts[0].save()
      }
      for step in 0..<30 {
        let context = contexts[Int.random(in: 0..<2, using: &random)]
        try context.performAndWait {
          try UnevenFacts.change(context, &random)
          context.processPendingChanges()
          let before = try facts.all(context)
          try context.save()
          try #require(try facts.all(context) == before, "step \(step)")
          for painter in try Facts.objects("Painter", context) {
            let own = try Facts.objects("Picture", context).filter {
              $0.value(forKey: "painter") as? NSManagedObject === painter
            }.compactMap { $0.value(forKey: "title") as? String }
            for key in ["pictures", "sketches"] {
              try #require(Facts.members(painter, key).sorted() == own, "\(key) after step \(step)")
            }
          }
        }
        let fresh = try facts.all(TestModel.context(coordinator))
        for context in contexts { try #require(try facts.all(context) == fresh, "after step \(step)") }
      }
    }
  }
}
