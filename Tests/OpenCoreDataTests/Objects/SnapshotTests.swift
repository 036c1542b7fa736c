import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a row keeps in its one allocation, and what does not fit there.
@Suite struct SnapshotTests {
  private let model = NSManagedObjectModel()
  private let layout: EntityLayout

  init() {
    model.entities = [
      TestModel.entity(
        "Note",
        [
          TestModel.attribute("first", .stringAttributeType), TestModel.attribute("last", .stringAttributeType),
          TestModel.attribute("picture", .binaryDataAttributeType),
          TestModel.attribute("rank", .integer64AttributeType),
        ])
    ]
    model.prepare()
    layout = model.entities[0].layout
  }

  private func row(version: Int64 = 1, _ body: (inout SnapshotScratch) -> Void) -> Snapshot {
    var scratch = SnapshotScratch(slots: layout.slotCount)
    scratch.begin(slots: layout.slotCount)
    body(&scratch)
    return Snapshot.make(primaryKey: 7, version: version, layout: layout, commit: 3, scratch: scratch)
  }

  /// Short texts are read a word at a time, without reading beyond them.
  @Test func textsOfEveryLengthComeBack() {
    for first in 0...20 {
      for last in 0...20 {
        let texts = [
          String("abcdefghijklmnopqrstuvwxyz".prefix(first)), String("\u{e4}0123456789012345678".prefix(last)),
        ]
        let row = row {
          $0.set(0, string: texts[0])
          $0.set(1, string: texts[1])
        }
        #expect([row.string(0), row.string(1)] == texts)
      }
    }
  }

  @Test(arguments: [0, 1, 0xffff_fffe, 0xffff_ffff, 0x1_0000_0000, Int64.max, -1])
  func versionsOfAnySizeAreKept(_ version: Int64) {
    #expect(row(version: version) { $0.set(3, int: 5) }.version == version)
  }

  @Test func largeValuesAndLargeVersionsAreCopiedToo() {
    let picture = Data(repeating: 9, count: 10_000)
    let large = row(version: 1 << 40) { scratch in
      scratch.set(0, string: "text")
      picture.withUnsafeBytes { scratch.set(2, blob: $0) }
      scratch.set(3, int: 5)
    }
    let copy = large.copy(setting: [(3, 6)])
    for row in [large, copy] {
      #expect(row.data(2) == picture && row.string(0) == "text" && row.version == 1 << 40 && row.commit == 3)
      #expect(row.byteCost > 10_000)
    }
    #expect(large.int(3) == 5 && copy.int(3) == 6 && copy.isNull(1))
  }

  @Test func aCommitIsDatedWithoutChangingTheSlots() {
    let row = row { $0.set(3, int: -1) }
    row.date(1 << 47)
    #expect(row.commit == 1 << 47 && row.int(3) == -1 && row.isNull(0) && row.isNull(layout.slotCount))
  }

  /// Another program's store may count versions from anywhere.
  @Test(arguments: [5_000_000_000, -3, 0xffff_fffe])
  func anObjectOfAnyVersionIsUpdated(_ version: Int64) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try Society.coordinator(url: url)
    try coordinator.inContext { context in
      _ = context.make("Club", ["name": "Chess"])
      try context.save()
    }
    try coordinator.remove(coordinator.persistentStores[0])
    _ = try Shell.sql(url, "UPDATE ZCLUB SET Z_OPT = \(version)")
    try Society.coordinator(url: url).inContext { context in
      let club = try context.named("Chess", "Club")
      for number in 1...3 {
        club.setValue(number, forKey: "number")
        try context.save()
      }
    }
    #expect(try Shell.sql(url, "SELECT Z_OPT, ZNUMBER FROM ZCLUB") == ["\(version + 3)|3"])
  }

  @Test func anEntityTooLargeForRowsIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = NSManagedObjectModel()
      model.entities = [
        TestModel.entity("Huge", (0..<32_768).map { TestModel.attribute("a\($0)", .booleanAttributeType) })
      ]
      model.prepare()
    }
    let text = (result?.standardErrorContent).map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains("The entity 'Huge' has 32768 properties"))
  }
}
