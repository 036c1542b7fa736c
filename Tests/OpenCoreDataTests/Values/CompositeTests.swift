import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct CompositeTests {
  private let home: [String: Any] = ["street": "Elm", "number": 5, "place": ["latitude": 1.5]]

  private func names(_ context: NSManagedObjectContext, _ format: String, sortedBy key: String = "name") throws
    -> [String]
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [
      NSSortDescriptor(key: key, ascending: true), NSSortDescriptor(key: "name", ascending: true),
    ]
    return try context.fetch(request).map { $0.value(forKey: "name") as? String ?? "" }
  }

  @Test func aDictionaryGoesInAndComesOut() throws {
    let file = try StoreFile(.sqlite, ValuesModel.addresses())
    try file.opened { context in
      let staff = context.make("Staff", ["name": "Ada", "badge": 7, "address": home, "office": ["room": "101"]])
      _ = context.make("Person", ["name": "Bob", "address": NSNull()])
      #expect(staff.value(forKeyPath: "address.place.latitude") as? NSNumber == 1.5)
      #expect(staff.changedValues()["address"] as? NSDictionary == home as NSDictionary)
      #expect(staff.changedValues()["address.street"] == nil)
      try context.save()
      #expect(!staff.hasChanges && staff.changedValues().isEmpty)
    }
    #expect(
      try Shell.sql(
        file.url, "SELECT ZSTREET, ZNUMBER, ZLATITUDE, ZLONGITUDE, ZROOM, ZBADGE FROM ZPERSON ORDER BY ZNAME")
        == ["Elm|5|1.5||101|7", "|||||"])
    try file.opened { context in
      let people = try context.all("Person", sortedBy: "name")
      #expect(people[0].value(forKey: "address") as? NSDictionary == home as NSDictionary)
      #expect(people[0].value(forKey: "office") as? [String: String] == ["room": "101"])
      #expect(people[0].value(forKey: "badge") as? Int == 7)
      #expect(people[1].value(forKey: "address") == nil)
      #expect(people[1].value(forKeyPath: "address.street") == nil)
      #expect(people[0].description.contains("address = ["))
    }
  }

  @Test func oneElementChangesOneColumn() throws {
    let file = try StoreFile(.sqlite, ValuesModel.addresses())
    try file.opened { context in
      let person = context.make("Person", ["name": "Ada", "address": home])
      let pet = context.make("Pet", ["owner": person])
      try context.save()
      person.setValue("Oak", forKeyPath: "address.street")
      let address = person.changedValues()["address"] as? [String: Any]
      #expect(address?["street"] as? String == "Oak" && address?["number"] as? Int == 5)
      let old = person.committedValues(forKeys: ["address"])["address"] as? [String: Any]
      #expect(old?["street"] as? String == "Elm")
      let statements = try StatementLog.collect(thisThread: true) { try context.save() }.statements
      #expect(statements.contains { $0.hasPrefix("UPDATE ZPERSON SET ZSTREET = ?, Z_OPT") })
      pet.setValue(8, forKeyPath: "owner.address.number")
      pet.setValue(2.5, forKeyPath: "owner.address.place.longitude")
      #expect(person.value(forKeyPath: "address.number") as? Int == 8)
      try context.save()
      // A whole dictionary replaces all.
      person.setValue(["street": "Fir"], forKey: "address")
      #expect(person.value(forKey: "address") as? [String: String] == ["street": "Fir"])
      context.rollback()
      #expect(person.value(forKeyPath: "address.place.longitude") as? Double == 2.5)
      person.setValue(nil, forKey: "address")
      #expect(person.changedValues()["address"] is NSNull)
    }
    #expect(try Shell.sql(file.url, "SELECT ZSTREET, ZNUMBER, ZLATITUDE, ZLONGITUDE FROM ZPERSON") == ["Oak|8|1.5|2.5"])
  }

  @Test(arguments: TestStore.all) func elementsHaveTheirDefaultsAndRules(_ store: TestStore) throws {
    try store.coordinator(ValuesModel.addresses()).inContext { context in
      let person = context.make("Person")
      #expect(person.value(forKey: "address") as? [String: Int] == ["number": 1])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMissingMandatoryPropertyError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "address.street")
      #expect(throws: NSError.self) { try person.validateValue(["number": 2], forKey: "address") }
      try person.validateValue(["street": "Elm"], forKey: "address")
      try person.validateValue(nil, forKey: "address")
      // None of the elements: no address, hence none that lacks a street.
      person.setValue(nil, forKey: "address")
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func predicatesAndSortingAgreeInMemoryAndInSQL(_ store: TestStore) throws {
    let coordinator = try store.coordinator(ValuesModel.addresses())
    let formats = [
      "address.street == 'Elm'", "address.street BEGINSWITH[c] 'e'", "address.number > 1", "address.place.latitude < 2",
      "address == nil", "address != nil", "address.place == nil", "address.place != nil", "address.street != 'Elm'",
      "ANY pets.owner.address.street == 'Elm'",
    ]
    let people: [[String: Any]] = [
      ["name": "Ada", "address": home], ["name": "Bob", "address": NSNull()],
      ["name": "Cyd", "address": ["street": "Ash", "number": 0]],
      ["name": "Dan", "address": ["street": "elm", "place": ["longitude": 3]]],
    ]
    try coordinator.inContext { context in
      for person in people { _ = context.make("Pet", ["owner": context.make("Person", person)]) }
      // Nothing is saved yet: all is evaluated in memory.
      let order = try names(context, "TRUEPREDICATE", sortedBy: "address.street")
      #expect(order == ["Bob", "Cyd", "Ada", "Dan"])
      let expected = try formats.map { try names(context, $0) }
      try context.save()
      for (format, expected) in zip(formats, expected) { #expect(try names(context, format) == expected, "\(format)") }
      #expect(try names(context, "TRUEPREDICATE", sortedBy: "address.street") == order)
      #expect(expected[0] == ["Ada"] && expected[4] == ["Bob"] && expected[6] == ["Bob", "Cyd"])
    }
  }

  @Test func aBatchUpdateSetsElementsAndWholeComposites() throws {
    let file = try StoreFile(.sqlite, ValuesModel.addresses())
    try file.opened { context in
      _ = context.make("Person", ["name": "Ada", "address": home])
      try context.save()
      let update = NSBatchUpdateRequest(entityName: "Person")
      update.propertiesToUpdate = ["address.street": "Oak", "address.place": ["longitude": 9]]
      _ = try context.execute(update)
      #expect(
        try Shell.sql(file.url, "SELECT ZSTREET, ZNUMBER, ZLATITUDE, ZLONGITUDE FROM ZPERSON") == ["Oak|5||9.0"])
      update.propertiesToUpdate = ["address.place": NSExpression(forKeyPath: "name")]
      #expect(throws: NSError.self) { try context.execute(update) }
      update.propertiesToUpdate = ["address.street": NSExpression(forKeyPath: "name")]
      _ = try context.execute(update)
      #expect(try Shell.sql(file.url, "SELECT ZSTREET FROM ZPERSON") == ["Ada"])
      update.propertiesToUpdate = ["address": NSNull()]
      _ = try context.execute(update)
      update.propertiesToUpdate = ["address": ["strait": "x"]]
      #expect(throws: NSError.self) { try context.execute(update) }
    }
    #expect(try Shell.sql(file.url, "SELECT ZSTREET IS NULL AND ZNUMBER IS NULL FROM ZPERSON") == ["1"])
  }

  @Test(arguments: TestStore.all) func observersAreToldOfTheComposite(_ store: TestStore) throws {
    try store.coordinator(ValuesModel.addresses()).inContext { context in
      let person = context.make("Person", ["address": home])
      let watcher = KeyWatcher()
      person.addObserver(watcher, forKeyPath: "address", options: [.old, .new], context: nil)
      person.setValue("Oak", forKeyPath: "address.street")
      person.setValue(nil, forKey: "address")
      person.removeObserver(watcher, forKeyPath: "address")
      #expect(watcher.changes == ["Elm -> Oak", "Oak -> nil"])
      person.setValue(home, forKey: "address")
      person.addObserver(watcher, forKeyPath: "address.street", options: [.old, .new], context: nil)
      person.setValue("Fir", forKeyPath: "address.street")
      person.removeObserver(watcher, forKeyPath: "address.street")
      #expect(watcher.changes.count == 3)
    }
  }

  @Test func anUnknownElementStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TestModel.coordinator(ValuesModel.addresses()).inContext { context in
        context.make("Person").setValue(["strait": "Elm"], forKey: "address")
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("property = \"address\" of entity Person has no element \"strait\""), "\(text)")
  }
}

/// Notes what happens to an address.
private final class KeyWatcher: NSObject, NSKeyValueObserving {
  var changes: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  ) {
    func street(_ key: NSKeyValueChangeKey) -> String {
      (change?[key] as? [String: Any])?["street"] as? String ?? "nil"
    }
    changes.append("\(street(.oldKey)) -> \(street(.newKey))")
  }
}
