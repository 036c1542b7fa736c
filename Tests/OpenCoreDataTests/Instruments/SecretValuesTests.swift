import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values of attributes that are marked as secret are in no log, no recording and no text of an error.
@Suite struct SecretValuesTests {
  private static let secret = "hunter2", number = 74_150_926

  static func model() -> NSManagedObjectModel {
    let account = TestModel.entity(
      "SecretAccount",
      [
        TestModel.attribute("name", .stringAttributeType), TestModel.attribute("password", .stringAttributeType),
        TestModel.attribute("pin", .integer64AttributeType),
      ])
    for name in ["password", "pin"] {
      account.attributesByName[name]!.userInfo = [OCDSecretAttributeKey: name == "pin" ? "YES" : true]
    }
    account.attributesByName["password"]!.preservesValueInHistoryOnDeletion = true
    account.uniquenessConstraints = [["password"]]
    let model = NSManagedObjectModel()
    model.entities = [account]
    return model
  }

  @Test func marks() throws {
    let attribute = NSAttributeDescription()
    #expect(!attribute.isSecret)
    for mark in [true as Any, 1, "YES", "true", "1", NSNumber(value: true)] {
      attribute.userInfo = [OCDSecretAttributeKey: mark]
      #expect(attribute.isSecret, "\(mark)")
    }
    for mark in [false as Any, 0, "NO", "", NSNull()] {
      attribute.userInfo = [OCDSecretAttributeKey: mark]
      #expect(!attribute.isSecret, "\(mark)")
    }
  }

  /// All that may show a value: inserted, found, changed, described, refused, in conflict and deleted.
  static func work(_ path: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
      options: [NSPersistentHistoryTrackingKey: true])
    let context = TestModel.context(coordinator), other = TestModel.context(coordinator)
    var errors: [any Error] = []
    try context.performAndWait {
      let account = context.make("SecretAccount", ["name": "Ada", "password": secret, "pin": number])
      try context.save()
      print(account, [account])
      let request = NSFetchRequest<NSManagedObject>(entityName: "SecretAccount")
      for format in ["password == %@", "password BEGINSWITH[cd] %@", "name == 'Ada' AND password != %@"] {
        request.predicate = NSPredicate(format: format, secret)
        _ = try context.fetch(request)
        _ = try context.count(for: request)
      }
      // What SQL cannot express.
      request.predicate = NSPredicate(format: "name == 'Ada' AND FUNCTION(password, 'nothing:', %@) == 1", secret)
      do { _ = try context.fetch(request) } catch { errors.append(error) }
      request.predicate = NSPredicate(format: "pin IN %@", [number, number + 1])
      request.returnsObjectsAsFaults = false
      _ = try context.fetch(request)
      account.setValue(secret + "!", forKey: "password")
      try context.save()
      // A duplicate of what must be unique.
      context.insert("SecretAccount", ["password": secret + "!"])
      do { try context.save() } catch { errors.append(error) }
      context.rollback()
      let update = NSBatchUpdateRequest(entityName: "SecretAccount")
      update.propertiesToUpdate = ["password": secret + "?"]
      _ = try context.execute(update)
      update.propertiesToUpdate = ["pin": secret]
      do { _ = try context.execute(update) } catch { errors.append(error) }
    }
    // A conflict between two contexts.
    try context.performAndWait {
      context.reset()
      let one = try context.all("SecretAccount")[0]
      _ = one.value(forKey: "password")
      try other.performAndWait {
        try other.all("SecretAccount")[0].setValue(secret + "2", forKey: "password")
        try other.save()
      }
      one.setValue(secret + "3", forKey: "password")
      do { try context.save() } catch { errors.append(error) }
      context.rollback()
      context.refreshAllObjects()
      context.delete(try context.all("SecretAccount")[0])
      try context.save()
    }
    #expect(errors.count == 4)
    for error in errors {
      print(error, error.localizedDescription, (error as NSError).localizedFailureReason ?? "")
      for conflict in (error as NSError).userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? [] {
        print(conflict)
      }
    }
  }

  @Test(arguments: 0...4)
  func noLogNoRecordingAndNoErrorHasOne(level: Int) async throws {
    let path = try TestModel.temporaryFile().path, recording = path + ".recording"
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) { [level = level as Int, path = path as String, recording = recording as String] in
      setenv("COREDATA_SQLDEBUG", "\(level)", 1)
      setenv("COREDATA_INSTRUMENTS", recording, 1)
      try SecretValuesTests.work(path)
      exit(0)
    }
    let written = try #require(result)
    let recorded = try Data(contentsOf: URL(fileURLWithPath: recording))
    #expect(recorded.range(of: Data("ZSECRETACCOUNT".utf8)) != nil)
    for bytes in [Data(written.standardErrorContent), Data(written.standardOutputContent), recorded] {
      for value in [Self.secret, "\(Self.number)", "74,150,926"] {
        #expect(bytes.range(of: Data(value.utf8)) == nil, "\(value) at level \(level)")
      }
    }
    let log = String(decoding: written.standardErrorContent, as: UTF8.self)
    // The test would find it: what is not secret is there.
    #expect(log.contains("SQLite bind[") == (level >= 2))
    #expect(log.contains("= <secret>") == (level >= 2))
    #expect(String(decoding: written.standardOutputContent, as: UTF8.self).contains("password = <secret>"))
  }

  @Test func whatTheProgramAsksForIsThere() throws {
    let context = TestModel.context(try TestModel.coordinator(Self.model()))
    try context.performAndWait {
      let account = context.make("SecretAccount", ["password": Self.secret])
      try context.save()
      #expect(account.value(forKey: "password") as? String == Self.secret)
      #expect(account.committedValues(forKeys: ["password"])["password"] as? String == Self.secret)
    }
  }
}
