import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// What an object keeps in a word, and what it takes of the memory.
@Suite struct ObjectMemoryTests {
  private let model = NSManagedObjectModel()
  private let layout: EntityLayout

  init() {
    model.entities = [TestModel.entity("Note", [TestModel.attribute("rank", .integer64AttributeType)])]
    model.prepare()
    layout = model.entities[0].layout
  }

  private func row(_ rank: Int64) -> Snapshot {
    var scratch = SnapshotScratch(slots: layout.slotCount)
    scratch.begin(slots: layout.slotCount)
    scratch.set(0, int: rank)
    return Snapshot.make(primaryKey: rank, version: 1, layout: layout, commit: 1, scratch: scratch)
  }

  private func object() -> NSManagedObject { NSManagedObject(entity: model.entities[0], insertInto: nil) }

  /// There may be millions of objects: glibc gives one of 56 bytes 64, and the next larger one 80.
  @Test func anObjectTakesSevenWords() {
    // The size of instances is in the class's metadata; see `ClassLayoutCheck`.
    let metadata = unsafeBitCast(NSManagedObject.self as AnyClass, to: UnsafeRawPointer.self)
    #expect(metadata.load(fromByteOffset: 24, as: UInt32.self) == 56)
  }

  @Test func rowAndChangesComeAndGoInAnyOrder() {
    let object = object()
    let seed = SeededGenerator.makeSeed(for: "rows and changes")
    var random = SeededGenerator(seed: seed)
    var row: Int64?, change: Int64?
    for step in 0..<2_000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        row = Int64(step + 1)
        object.snapshot = self.row(Int64(step + 1))
      case 1:
        row = nil
        object.snapshot = nil
      case 2:
        change = Int64(step)
        object.changes = ChangedValues.make([.int(Int64(step))])
      default:
        change = nil
        object.changes = nil
      }
      #expect(object.snapshot?.primaryKey == row && (object.rowReference == nil) == (row == nil), "seed \(seed)")
      #expect(object.changes.map { $0[0].isSame(as: .int(change ?? -1)) } == change.map { _ in true }, "seed \(seed)")
    }
  }

  @Test(arguments: [false, true]) func anObjectLetsGoOfItsRow(_ hasChanges: Bool) {
    weak var released: Snapshot?
    do {
      let object = object()
      let row = row(1)
      released = row
      object.snapshot = row
      if hasChanges { object.changes = ChangedValues.make([.int(2)]) }
      #expect(released != nil)
    }
    #expect(released == nil)
  }

  @Test func theSameChangesMayBeSetAgain() {
    let object = object()
    object.snapshot = row(4)
    object.changes = ChangedValues.make([.int(2)])
    object.changes = object.changes
    #expect(object.snapshot?.primaryKey == 4 && object.changes?[0].isSame(as: .int(2)) == true)
  }

  @Test(arguments: TestStore.all) func flagsAndMapLeaveEachOtherAlone(_ store: TestStore) throws {
    let coordinator = try store.coordinator(model)
    let context = TestModel.context(coordinator)
    context.performAndWait {
      let table = context.objects.table(for: layout, store: coordinator.persistentStores.first)
      let object = object()
      for bit in 0..<18 {
        object.state = ObjectState(rawValue: 1 << bit)
        object.table = table
        #expect(object.state.rawValue == 1 << bit && object.table === table)
        object.state = []
        #expect(object.table === table)
        object.state = ObjectState(rawValue: 1 << bit)
        object.table = nil
        #expect(object.state.rawValue == 1 << bit && object.table == nil)
      }
    }
  }
}
