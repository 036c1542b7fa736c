import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Recordings: what is written down, and read back. One at a time; other tests' work is in them, too, so that entities have
/// names of their own here.
@Suite(.serialized) struct RecordingTests {
  static func model() -> NSManagedObjectModel {
    let owner = TestModel.entity("RecordedOwner", [TestModel.attribute("name", .stringAttributeType)])
    let thing = TestModel.entity("RecordedThing", [TestModel.attribute("label", .stringAttributeType)])
    TestModel.relate(owner, "things", max: 0, thing, "owner", max: 1)
    owner.attributesByName["name"]!.setValidationPredicates(
      [NSPredicate(format: "SELF != 'refused'")], withValidationWarnings: ["refused"])
    let model = NSManagedObjectModel()
    model.entities = [owner, thing]
    return model
  }

  /// A context whose store has so many owners with two things each, none of them in the row cache.
  static func context(_ owners: Int = 5, url: URL? = nil) throws -> NSManagedObjectContext {
    let context = TestModel.context(try TestModel.coordinator(model(), url: url))
    try context.performAndWait {
      for number in 0..<owners {
        let owner = context.make("RecordedOwner", ["name": "hidden \(number)"])
        for place in 0..<2 {
          context.make("RecordedThing", ["label": "hidden \(place)"]).setValue(owner, forKey: "owner")
        }
      }
      try context.save()
      context.reset()
    }
    context.persistentStoreCoordinator!.persistentStores[0].rows.removeAll()
    context.faultBatchSize = 1
    return context
  }

  private func recording(_ work: () throws -> Void) throws -> Recording {
    let url = try TestModel.temporaryFile("work.ocdinstruments")
    try CoreDataInstruments.startRecording(to: url)
    #expect(CoreDataInstruments.isRecording)
    do { try work() } catch {
      CoreDataInstruments.stopRecording()
      throw error
    }
    CoreDataInstruments.stopRecording()
    #expect(!CoreDataInstruments.isRecording)
    let data = try Data(contentsOf: url)
    #expect(data.range(of: Data("hidden".utf8)) == nil)
    return try Recording(contentsOf: url)
  }

  private static func owners(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "RecordedOwner")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  private static func own(_ recording: Recording) -> [Recording.Activity] {
    recording.activities.filter { $0.entity?.hasPrefix("Recorded") == true }
  }

  @Test func fetchesFaultsAndRelationshipsWithTheirCaller() throws {
    let context = try Self.context()
    let recording = try recording { try context.performAndWait { try Self.walk(context) } }
    let own = Self.own(recording)
    let fetches = own.filter { $0.kind == .fetch }
    #expect(fetches.map(\.rows) == [5] && fetches[0].entity == "RecordedOwner" && fetches[0].detail == nil)
    let relations = own.filter { $0.kind == .relationshipFault }
    #expect(relations.count == 5 && relations.allSatisfy { $0.relationship == "things" && $0.rows == 2 })
    #expect(relations.allSatisfy { $0.entity == "RecordedOwner" })
    let faults = own.filter { $0.kind == .objectFault }
    #expect(faults.count == 10)
    #expect(faults.allSatisfy { $0.entity == "RecordedThing" && $0.relationship == "things" && $0.rows == 1 })
    for activity in own {
      #expect(activity.duration > 0 && activity.duration < recording.duration && activity.start >= 0)
      let caller = try #require(recording.caller(activity.stack)?.function)
      #expect(caller.contains("RecordingTests") && caller.contains("walk"), "\(caller)")
    }
    #expect(own.map(\.start) == own.map(\.start).sorted())
  }

  @inline(never) private static func walk(_ context: NSManagedObjectContext) throws {
    for owner in try context.fetch(owners()) {
      for thing in owner.value(forKey: "things") as! Set<NSManagedObject> { _ = thing.value(forKey: "label") }
    }
  }

  @Test func statementsWithoutValuesAndTheirRows() throws {
    let context = try Self.context()
    let recording = try recording {
      try context.performAndWait {
        for _ in 0..<3 { _ = try context.fetch(Self.owners("name BEGINSWITH 'hidden'")) }
        try Self.walk(context)
      }
    }
    let texts = Dictionary(grouping: recording.executions) { recording.statements[$0.statement].text }
    let fetches = try #require(texts.first { $0.key.contains("FROM ZRECORDEDOWNER t0 WHERE") })
    #expect(fetches.value.count == 3 && fetches.value.allSatisfy { $0.rows == 5 && $0.duration > 0 })
    // Those of faults, too, which are not events of their own.
    let faults = try #require(texts.first { $0.key.contains("FROM ZRECORDEDTHING t0 WHERE  t0.Z_PK = ?") })
    #expect(faults.value.count == 10 && faults.value.allSatisfy { $0.rows == 1 })
    let fetch = try #require(Self.own(recording).first)
    #expect(fetch.detail == "name BEGINSWITH $value")
    let run = recording.executions(of: fetch).map { recording.statements[$0.statement] }
    #expect(run.contains { $0.text == fetches.key && $0.plan.contains { $0.contains("t0") } && $0.store != nil })
    #expect(recording.counted!.selects >= 14 && recording.counted!.faultsFired >= 10)
  }

  @Test func rowsThatAreNeverTouched() throws {
    let context = try Self.context(8)
    var kept: [NSManagedObject] = []
    let recording = try recording {
      try context.performAndWait {
        kept = try context.fetch(Self.owners())
        for owner in kept.prefix(3) { _ = owner.value(forKey: "name") }
        context.refresh(kept[0], mergeChanges: false)
        _ = kept[0].value(forKey: "name")
        let things = NSFetchRequest<NSManagedObject>(entityName: "RecordedThing")
        _ = try context.fetch(things)
        things.returnsObjectsAsFaults = false
        kept += try context.fetch(things)
      }
    }
    let fetches = Self.own(recording).filter { $0.kind == .fetch }
    #expect(fetches.map(\.rows) == [8, 16, 16])
    #expect(
      fetches.map(\.touches) == [
        Recording.Touches(faults: 8, fired: 3), Recording.Touches(faults: 16, fired: 0), nil,
      ])
    withExtendedLifetime(kept) {}
  }

  @Test func savesCountsAndPrefetches() throws {
    let context = try Self.context()
    let recording = try recording {
      try context.performAndWait {
        let request = Self.owners()
        request.relationshipKeyPathsForPrefetching = ["things"]
        let owners = try context.fetch(request)
        #expect(try context.count(for: Self.owners("name != nil")) == 5)
        owners[0].setValue("hidden", forKey: "name")
        context.delete(owners[1])
        context.insert("RecordedOwner")
        context.insert("RecordedOwner")
        try context.save()
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "RecordedOwner")
        ids.resultType = .managedObjectIDResultType
        #expect(try context.fetch(ids).count == 6)
        _ = try? context.fetch(Self.owners("FUNCTION(name, 'nothing:') == 1"))
      }
    }
    let own = Self.own(recording)
    let prefetch = try #require(own.first { $0.kind == .prefetch })
    #expect(prefetch.rows == 10 && prefetch.relationship == "things" && prefetch.detail == "things")
    let fetch = try #require(own.first { $0.kind == .fetch })
    #expect(fetch.start <= prefetch.start && prefetch.duration <= fetch.duration)
    #expect(own.first { $0.kind == .count }?.rows == 5)
    #expect(
      own.contains { $0.kind == .fetch && $0.rows == 6 } || own.contains { $0.kind == .fetchKeys && $0.rows == 6 })
    let saves = recording.activities.filter { $0.kind == .save && $0.rows == 2 && $0.deleted == 1 }
    // Things of the owner who is deleted lose him.
    #expect(saves.contains { $0.updated == 3 })
  }

  @Test func batchRequestsAndWhatFailed() throws {
    let context = try Self.context()
    let recording = try recording {
      try context.performAndWait {
        let update = NSBatchUpdateRequest(entityName: "RecordedOwner")
        update.propertiesToUpdate = ["name": "hidden"]
        _ = try context.execute(update)
        update.propertiesToUpdate = ["name": 5]
        #expect(throws: NSError.self) { try context.execute(update) }
        _ = try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "RecordedThing")))
        #expect(throws: NSError.self) { try context.fetch(Self.owners("FUNCTION(name, 'nothing:') == 1")) }
        #expect(throws: NSError.self) { try context.count(for: Self.owners("FUNCTION(name, 'nothing:') == 1")) }
        #expect(throws: NSError.self) { try context.fetchPages(Self.owners("FUNCTION(name, 'nothing:') == 1")) }
        context.insert("RecordedOwner", ["name": "refused"])
        #expect(throws: NSError.self) { try context.save() }
      }
    }
    let own = Self.own(recording)
    let requests = own.filter { $0.kind == .batchRequest }
    #expect(requests.map(\.detail) == ["NSBatchUpdateRequest", nil, "NSBatchDeleteRequest"])
    #expect(requests.map(\.failed) == [false, true, false])
    #expect(requests.map(\.entity) == ["RecordedOwner", "RecordedOwner", "RecordedThing"])
    #expect(own.filter { $0.kind == .fetch || $0.kind == .count }.map(\.failed) == [true, true])
    #expect(own.filter { $0.kind == .fetchKeys }.map(\.failed) == [true])
    // A save has no entity, and those of other tests are here, too.
    let saves = recording.activities.filter {
      $0.kind == .save && recording.caller($0.stack)?.function?.contains("batchRequestsAndWhatFailed") == true
    }
    #expect(saves.map(\.failed) == [true])
  }

  @Test func memoryAtTheEnd() throws {
    let context = try Self.context(20)
    var kept: [NSManagedObject] = []
    let recording = try recording { try context.performAndWait { kept = try context.fetch(Self.owners()) } }
    let last = try #require(recording.memory.last?.memory)
    #expect(last.objects >= 20 && last.faults! >= 20 && last.faults! <= last.objects)
    #expect(last.rowCacheBytes > 20 * 80 && last.residentBytes > 1 << 20)
    #expect(last.peakResidentBytes >= last.residentBytes / 2)
    withExtendedLifetime(kept) {}
  }

  @Test func severalThreads() throws {
    let contexts = try (0..<4).map { _ in try Self.context(50) }
    let recording = try recording {
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        contexts[number].performAndWait { try! Self.walk(contexts[number]) }
      }
    }
    let own = Self.own(recording)
    #expect(own.count { $0.kind == .fetch } == 4)
    #expect(own.count { $0.kind == .relationshipFault } == 200 && own.count { $0.kind == .objectFault } == 400)
    #expect(recording.end == .stopped && recording.processID == Int(getpid()) && !recording.program.isEmpty)
  }

  @Test func oneAtATimeAndNotEverywhere() throws {
    let url = try TestModel.temporaryFile("one")
    try CoreDataInstruments.startRecording(to: url)
    #expect(throws: NSError.self) { try CoreDataInstruments.startRecording(to: try TestModel.temporaryFile("two")) }
    CoreDataInstruments.stopRecording()
    CoreDataInstruments.stopRecording()
    #expect(throws: NSError.self) {
      try CoreDataInstruments.startRecording(to: URL(fileURLWithPath: "/nowhere/at/all"))
    }
    #expect(!CoreDataInstruments.isRecording)
  }

  @Test func aRecordingThatBecomesTooLongEnds() throws {
    let url = try TestModel.temporaryFile("long")
    let context = try Self.context(200)
    try CoreDataInstruments.startRecording(to: url, limit: 100_000)
    try context.performAndWait { for _ in 0..<40 { try Self.walk(context); context.reset(); context.emptyRows() } }
    Recorder.shared.flush()
    #expect(!CoreDataInstruments.isRecording)
    let recording = try Recording(contentsOf: url)
    #expect(recording.end == .limitReached && !recording.activities.isEmpty)
  }

  @Test func aKilledProgramLeavesWhatWasWritten() async throws {
    let path = try TestModel.temporaryFile("killed").path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let context = try RecordingTests.context()
      try CoreDataInstruments.startRecording(to: URL(fileURLWithPath: path))
      try context.performAndWait {
        try RecordingTests.walk(context)
        Recorder.shared.flush()
        _ = try context.count(for: RecordingTests.owners())
      }
      kill(getpid(), SIGKILL)
    }
    let recording = try Recording(contentsOf: URL(fileURLWithPath: path))
    #expect(recording.end == nil)
    let own = Self.own(recording)
    #expect(own.count { $0.kind == .objectFault } == 10 && !own.contains { $0.kind == .count })
    // The reader looks the names up where the program could not.
    #expect(recording.caller(own[0].stack)?.function?.contains("walk") == true)
  }

  @Test func theEnvironmentStartsOne() async throws {
    let path = try TestModel.temporaryFile("asked").path
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("COREDATA_INSTRUMENTS", path, 1)
      let context = try RecordingTests.context()
      try context.performAndWait { try RecordingTests.walk(context) }
      exit(0)
    }
    let recording = try Recording(contentsOf: URL(fileURLWithPath: path))
    #expect(recording.end == .programEnded)
    // From the first context on.
    #expect(recording.activities.contains { $0.kind == .save && $0.rows == 15 })
    #expect(Self.own(recording).count { $0.kind == .objectFault } == 10)
  }

  @Test func twoProgramsWithTheSameEnvironment() async throws {
    let path = try TestModel.temporaryFile("shared").path
    let file = open(path, O_CREAT | O_RDWR, 0o644)
    #expect(flock(file, LOCK_EX) == 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("COREDATA_INSTRUMENTS", path, 1)
      _ = try RecordingTests.context()
      exit(0)
    }
    close(file)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let others = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("shared.") }
    #expect(others.count == 1)
  }

  // MARK: Files that are none

  @Test func damagedFilesAreReadAsFarAsTheyGoOrRefused() throws {
    let url = try TestModel.temporaryFile("damaged")
    let context = try Self.context()
    try CoreDataInstruments.startRecording(to: url)
    try context.performAndWait { try Self.walk(context) }
    CoreDataInstruments.stopRecording()
    let whole = try Data(contentsOf: url)
    var generator = SeededGenerator(seed: SeededGenerator.makeSeed(for: "damaged recordings"))
    for _ in 0..<20 * Soak.factor {
      var data = whole
      if Bool.random(using: &generator) {
        data = data.prefix(Int.random(in: 0...data.count, using: &generator))
      } else {
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
          data[Int.random(in: 0..<data.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      try data.write(to: url)
      if let recording = try? Recording(contentsOf: url) {
        #expect(Self.own(recording).count <= 16)
      }
    }
    for text in ["", "OCDINST", "OCDINSTR\u{2}\0\0\0", "no recording at all"] {
      try Data(text.utf8).write(to: url)
      #expect(throws: NSError.self) { _ = try Recording(contentsOf: url) }
    }
    #expect(throws: NSError.self) { _ = try Recording(contentsOf: URL(fileURLWithPath: "/nowhere")) }
  }
}

extension NSManagedObjectContext {
  fileprivate func emptyRows() { persistentStoreCoordinator!.persistentStores[0].rows.removeAll() }
}
