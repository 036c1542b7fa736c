import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Saving a child: its changes become the parent's, and nobody else's.
@Suite struct ChildSaveTests {
  @Test func aSaveGoesOneLevelUp() throws {
    let url = try TestModel.temporaryFile()
    let tree = try Tree(.sqlite, Society.model(), url: url)
    func stored() throws -> Int64? { try PlainDatabase(url).rows("SELECT COUNT(*) FROM ZPERSON")[0][0].integer }
    let ada = try tree.leaf.inside { leaf throws in
      let ada = leaf.make("Person", ["name": "Ada", "age": 36])
      try leaf.save()
      #expect(!leaf.hasChanges && !ada.isInserted && !ada.isFault && ada.objectID.isTemporaryID)
      #expect(ada.text("name") == "Ada" && ada.changedValues().isEmpty && !ada.hasPersistentChangedValues)
      #expect(ada.committedValues(forKeys: ["name"])["name"] as? String == "Ada")
      return ada.objectID
    }
    try tree.middle.inside { middle throws in
      #expect(middle.hasChanges && middle.insertedObjects.map(\.objectID) == [ada])
      #expect(middle.object(with: ada).text("name") == "Ada" && middle.object(with: ada).isInserted)
    }
    try tree.root.inside { #expect(!$0.hasChanges && $0.registeredObject(for: ada) == nil) }
    try tree.middle.inside { try $0.save() }
    try tree.root.inside { #expect($0.insertedObjects.map(\.objectID) == [ada]) }
    #expect(try stored() == 0)
    try tree.root.inside { try $0.save() }
    #expect(try stored() == 1)
  }

  @Test(arguments: TestStore.all) func updatesAndDeletionsGoUp(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.root.inside { root throws in
      for name in ["a", "b", "c"] { _ = root.make("Person", ["name": name, "age": 1]) }
      try root.save()
    }
    try tree.leaf.inside { leaf throws in
      try leaf.named("a").setValue("A", forKey: "name")
      let gone = try leaf.named("b")
      leaf.delete(gone)
      try leaf.save()
      #expect(!leaf.hasChanges && gone.managedObjectContext == nil)
    }
    try tree.middle.inside { middle throws in
      #expect(middle.updatedObjects.map { $0.text("name") } == ["A"])
      #expect(middle.updatedObjects.first?.changedValues().keys.sorted() == ["name"])
      #expect(middle.deletedObjects.count == 1)
    }
    try Tree.saveUp(tree.middle)
    #expect(try tree.coordinator.inContext { try $0.names("Person") == ["A", "c"] })
  }

  @Test(arguments: TestStore.all) func theChildsValueReplacesTheParentsUnsavedOne(_ store: TestStore) throws {
    let tree = try Tree(store)
    let ada = try tree.root.inside { $0.make("Person", ["name": "Ada", "age": 1]) }
    try tree.middle.inside { middle throws in
      let here = try middle.named("Ada")
      try tree.root.inside { _ throws in
        ada.setValue("parent's", forKey: "name")
        ada.setValue(2, forKey: "age")
      }
      here.setValue("child's", forKey: "name")
      try middle.save()
    }
    try tree.root.inside { _ in #expect(ada.text("name") == "child's" && ada.number("age") == 2) }
  }

  @Test(arguments: TestStore.all) func relationshipsGoUpWithBothEnds(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.leaf.inside { leaf throws in
      let boss = leaf.make("Manager", ["name": "boss"]), other = leaf.make("Manager", ["name": "other"])
      for number in 0..<3 {
        let report = leaf.make("Employee", ["name": "e\(number)"])
        report.setValue(boss, forKey: "boss")
        report.mutableSetValue(forKey: "friends").add(other)
      }
      boss.setValue(leaf.make("Passport", ["number": 7]), forKey: "passport")
      boss.setValue(leaf.make("House", ["street": "High"]), forKey: "home")
      try leaf.save()
      #expect(boss.many("reports").count == 3 && other.many("friends").count == 3)
      try leaf.named("e0").setValue(other, forKey: "boss")
      try leaf.save()
    }
    func check(_ context: NSManagedObjectContext) throws {
      let boss = try context.named("boss"), other = try context.named("other")
      #expect(Set(boss.many("reports").map { $0.text("name")! }) == ["e1", "e2"])
      #expect(Set(other.many("reports").map { $0.text("name")! }) == ["e0"])
      #expect(other.many("friends").count == 3 && boss.one("passport")?.number("number") == 7)
      #expect(boss.one("passport")?.one("holder") === boss && boss.one("home")?.text("street") == "High")
    }
    try tree.leaf.inside(check)
    try tree.middle.inside(check)
    try Tree.saveUp(tree.middle)
    try tree.root.inside(check)
    try tree.coordinator.inContext(check)
  }

  /// The parent has moved a member elsewhere meanwhile: the child's owner gets it, and nobody else keeps it.
  @Test(arguments: TestStore.all) func theParentsGraphStaysConsistent(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.root.inside { root throws in
      for name in ["a", "b", "c"] { _ = root.make("Manager", ["name": name]) }
      root.make("Person", ["name": "p"]).setValue(try root.named("a"), forKey: "boss")
      try root.save()
    }
    try tree.middle.inside { middle throws in
      let person = try middle.named("p"), b = try middle.named("b")
      #expect(person.one("boss")?.text("name") == "a" && b.many("reports").isEmpty)
      try tree.root.inside { try $0.named("p").setValue(try $0.named("c"), forKey: "boss") }
      person.setValue(b, forKey: "boss")
      try middle.save()
    }
    try tree.root.inside { root throws in
      #expect(try root.named("p").one("boss") === root.named("b"))
      #expect(try root.named("b").many("reports") == [root.named("p")])
      #expect(try root.named("a").many("reports").isEmpty && root.named("c").many("reports").isEmpty)
      try root.save()
    }
  }

  @Test(arguments: TestStore.all) func ordersGoUp(_ store: TestStore) throws {
    let tree = try Tree(store, Music.model())
    let id = try tree.root.inside { root throws in
      let album = root.make("Album", ["name": "A"])
      album.setValue(NSOrderedSet(array: Music.tracks(3, root)), forKey: "tracks")
      try root.save()
      return album.objectID
    }
    try tree.leaf.inside { leaf throws in
      let tracks = leaf.object(with: id).mutableOrderedSetValue(forKey: "tracks")
      tracks.add(leaf.make("Song", ["name": "s"]))
      try leaf.save()
      tracks.moveObjects(at: [3], to: 0)
      tracks.exchangeObject(at: 1, withObjectAt: 2)
      tracks.add(leaf.make("Talk", ["name": "x"]))
      tracks.add(leaf.make("Talk", ["name": "y"]))
      tracks.removeObject(at: 3)
      #expect(leaf.object(with: id).names("tracks") == "s t1 t0 x y")
      try leaf.save()
      #expect(leaf.object(with: id).names("tracks") == "s t1 t0 x y")
    }
    try tree.middle.inside { #expect($0.object(with: id).names("tracks") == "s t1 t0 x y") }
    try Tree.saveUp(tree.middle)
    try tree.coordinator.inContext { #expect($0.object(with: id).names("tracks") == "s t1 t0 x y") }
    try tree.leaf.inside { leaf throws in
      leaf.refreshAllObjects()
      #expect(leaf.object(with: id).names("tracks") == "s t1 t0 x y")
    }
  }

  @Test(arguments: TestStore.all) func manyToManyOrdersOnBothEndsGoUp(_ store: TestStore) throws {
    let tree = try Tree(store, Music.model())
    try tree.leaf.inside { leaf throws in
      let tracks = Music.tracks(3, leaf), more = (0..<3).map { leaf.make("Track", ["name": "m\($0)"]) }
      for track in tracks.reversed() { track.setValue(NSOrderedSet(array: more.reversed()), forKey: "followers") }
      more[0].mutableOrderedSetValue(forKey: "leaders").moveObjects(at: [2], to: 0)
      #expect(more[0].names("leaders") == "t0 t2 t1" && more[1].names("leaders") == "t2 t1 t0")
      try leaf.save()
    }
    for context in [tree.middle, tree.root] {
      if context === tree.root { try tree.middle.inside { try $0.save() } }
      try context.inside { context throws in
        #expect(try context.named("m0", "Track").names("leaders") == "t0 t2 t1")
        #expect(try context.named("m1", "Track").names("leaders") == "t2 t1 t0")
        #expect(try context.named("t1", "Track").names("followers") == "m2 m1 m0")
      }
    }
  }

  @Test(arguments: TestStore.all) func transientValuesGoUp(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.leaf.inside { leaf throws in
      let ada = leaf.make("Person", ["name": "Ada", "alias": "Countess", "visits": 5])
      try leaf.save()
      #expect(ada.text("alias") == "Countess" && ada.number("visits") == 5)
      return ada.objectID
    }
    try tree.middle.inside { #expect($0.object(with: id).text("alias") == "Countess") }
    try tree.leaf.inside { leaf throws in
      leaf.object(with: id).setValue("A. L.", forKey: "alias")
      try leaf.save()
    }
    try tree.middle.inside { #expect($0.object(with: id).text("alias") == "A. L.") }
  }

  @Test(arguments: TestStore.all) func aSaveIsValidatedInTheChild(_ store: TestStore) throws {
    let model = TestModel.library()
    let tree = try Tree(store, model)
    try tree.leaf.inside { leaf throws in
      let book = leaf.make("Book")
      book.setValue(nil, forKey: "title")
      let error = #expect(throws: NSError.self) { try leaf.save() }
      #expect(error?.code == NSValidationMissingMandatoryPropertyError && leaf.hasChanges)
      try tree.middle.inside { #expect(!$0.hasChanges) }
      book.setValue("B", forKey: "title")
      try leaf.save()
    }
  }

  @Test(arguments: TestStore.all) func theParentPostsItsChangesDuringTheSave(_ store: TestStore) throws {
    let tree = try Tree(store)
    let log = Mutex<[String]>([])
    let names: [(Notification.Name, String)] = [
      (.NSManagedObjectContextObjectsDidChange, "changed"), (.NSManagedObjectContextWillSave, "will"),
      (.NSManagedObjectContextDidSave, "did"),
    ]
    var tokens: [NSObjectProtocol] = []
    for context in [tree.leaf, tree.middle, tree.root] {
      let who = context === tree.leaf ? "leaf" : context === tree.middle ? "middle" : "root"
      for (name, what) in names {
        tokens.append(
          NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
            let keys = (notification.userInfo ?? [:])
              .compactMap { key, value in (value as? Set<NSManagedObject>)?.isEmpty == false ? "\(key)" : nil }.sorted()
            log.withLock { $0.append("\(who) \(what) \(keys.joined(separator: " "))") }
          })
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    try tree.leaf.inside { leaf throws in
      let ada = leaf.make("Person", ["name": "Ada"])
      try leaf.save()
      ada.setValue("A", forKey: "name")
      try leaf.save()
    }
    try tree.middle.inside { try $0.save() }
    #expect(
      log.withLock { $0 } == [
        "leaf changed inserted", "leaf will ", "middle changed inserted", "leaf did inserted",
        "leaf changed updated", "leaf will ", "middle changed updated", "leaf did updated",
        "middle will ", "root changed inserted", "middle did inserted",
      ])
  }

  @Test(arguments: TestStore.all) func whatTheParentHasDeletedCannotBeSaved(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { root throws in
      let ada = root.make("Person", ["name": "Ada"])
      try root.save()
      return ada.objectID
    }
    try tree.middle.inside { middle throws in
      let ada = middle.object(with: id)
      ada.setValue("mine", forKey: "name")
      let other = middle.make("Person", ["name": "other"])
      try tree.root.inside { $0.delete($0.object(with: id)) }
      let error = #expect(throws: NSError.self) { try middle.save() }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
      #expect((error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject]) == [ada])
      // Nothing has gone up, and nothing is lost here.
      try tree.root.inside { #expect($0.insertedObjects.isEmpty) }
      #expect(other.isInserted && ada.isUpdated && ada.text("name") == "mine")
      middle.delete(ada)
      try middle.save()
      try tree.root.inside { #expect($0.insertedObjects.count == 1 && $0.deletedObjects.count == 1) }
    }
    try tree.root.inside { try $0.save() }
  }

  @Test(arguments: TestStore.all) func whatIsGoneFromTheStoreCannotBeSaved(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { root in
      let ada = root.make("Person", ["name": "Ada"])
      try root.save()
      return ada.objectID
    }
    try tree.leaf.inside { leaf throws in
      let ada = leaf.object(with: id)
      ada.setValue("mine", forKey: "name")
      try tree.root.inside { root in
        root.delete(root.object(with: id))
        try root.save()
      }
      let error = #expect(throws: NSError.self) { try leaf.save() }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError && ada.text("name") == "mine")
      leaf.delete(ada)
      try leaf.save()
    }
    try Tree.saveUp(tree.middle)
  }

  @Test(arguments: TestStore.all) func aReferenceToWhatTheParentHasDeletedCannotBeSaved(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { root throws in
      let boss = root.make("Manager", ["name": "boss"])
      try root.save()
      return boss.objectID
    }
    try tree.middle.inside { middle throws in
      let person = middle.make("Person", ["name": "p"])
      person.setValue(middle.object(with: id), forKey: "boss")
      try tree.root.inside { $0.delete($0.object(with: id)) }
      let error = #expect(throws: NSError.self) { try middle.save() }
      #expect(error?.code == NSManagedObjectValidationError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "boss")
      try tree.root.inside { #expect($0.insertedObjects.isEmpty) }
      person.setValue(nil, forKey: "boss")
      try middle.save()
      try tree.root.inside { #expect($0.insertedObjects.count == 1) }
    }
  }

  @Test(arguments: TestStore.all) func objectsThatTheParentNeverSavedCanBeDeleted(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { $0.make("Person", ["name": "Ada"]).objectID }
    try tree.middle.inside { middle throws in
      middle.delete(middle.object(with: id))
      try middle.save()
      #expect(try middle.names("Person").isEmpty)
    }
    try tree.root.inside { root throws in
      #expect(!root.hasChanges && root.registeredObject(for: id) == nil)
      try root.save()
      #expect(try root.names("Person").isEmpty)
    }
  }

  /// What only the parent has related to a deleted object lets go of it.
  @Test(arguments: TestStore.all) func aDeletionLeavesNoDanglingReferenceAbove(_ store: TestStore) throws {
    let tree = try Tree(store, Society.family(.nullifyDeleteRule))
    try tree.root.inside { root throws in
      _ = root.make("Parent", ["name": "P"])
      try root.save()
    }
    try tree.middle.inside { middle throws in
      let parent = try middle.named("P", "Parent")
      #expect(parent.many("children").isEmpty)
      try tree.root.inside { root throws in
        root.make("Child", ["name": "c"]).setValue(try root.named("P", "Parent"), forKey: "parent")
      }
      middle.delete(parent)
      try middle.save()
    }
    try tree.root.inside { root throws in
      #expect(try root.named("c", "Child").one("parent") == nil)
      try root.save()
    }
  }

  @Test(arguments: TestStore.all) func aChangeMeanwhileIsAConflictAtTheTop(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { root throws in
      let ada = root.make("Person", ["name": "Ada", "age": 1])
      try root.save()
      return ada.objectID
    }
    try tree.leaf.inside { leaf throws in
      leaf.object(with: id).setValue(2, forKey: "age")
      try tree.coordinator.inContext { other throws in
        try other.existingObject(with: id).setValue("Countess", forKey: "name")
        try other.save()
      }
      try leaf.save()
    }
    try tree.middle.inside { try $0.save() }
    let error = #expect(throws: NSError.self) { try tree.root.inside { try $0.save() } }
    #expect(error?.code == NSManagedObjectMergeError)
    try tree.root.inside { #expect($0.hasChanges) }
  }

  /// The child has taken the book out, and so have others; that is no change any more, and the parent has put it back since.
  @Test(arguments: TestStore.all) func whatIsNoChangeAnyMoreLeavesTheParentsAlone(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library(), url: try store.place())
    let root = TestModel.context(coordinator), child = Tree.child(of: root)
    let (author, book) = try root.inside { root in
      let author = root.make("Author", ["name": "A"])
      let book = root.make("Book", ["title": "B", "author": author])
      try root.save()
      return (author, book)
    }
    let childs = try child.inside { child in
      let own = try child.existingObject(with: author.objectID)
      let book = try child.existingObject(with: book.objectID)
      #expect(own.many("books").count == 1)
      book.setValue(nil, forKey: "author")
      return (author: own, book: book)
    }
    try coordinator.inContext { other throws in
      try other.all("Book")[0].setValue(nil, forKey: "author")
      try other.save()
    }
    try child.inside { child in
      child.refresh(childs.book, mergeChanges: true)
      #expect(childs.book.changedValues().isEmpty)
    }
    root.performAndWait {
      root.refresh(book, mergeChanges: true)
      root.refresh(author, mergeChanges: true)
      book.setValue(author, forKey: "author")
    }
    try child.inside { child in
      childs.author.setValue("new", forKey: "name")
      try child.save()
    }
    try root.inside { root in
      #expect(author.text("name") == "new" && book.one("author") === author)
      try root.save()
    }
    try coordinator.inContext { other throws in
      #expect(try other.all("Book")[0].value(forKeyPath: "author.name") as? String == "new")
    }
  }
}
