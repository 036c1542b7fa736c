import CoreData
import Foundation
import Testing

/// The user info of a property may change while the model is in use.
@Suite struct PropertyUserInfoTests {
  /// People, and the others of the name that the fetched property's user info says.
  private func model() -> NSManagedObjectModel {
    let model = Society.model()
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
    request.predicate = NSPredicate(format: "name == $FETCHED_PROPERTY.userInfo.wanted AND SELF != $FETCH_SOURCE")
    let wanted = NSFetchedPropertyDescription()
    (wanted.name, wanted.fetchRequest, wanted.userInfo) = ("wanted", request, ["wanted": "a"])
    model.entitiesByName["Person"]?.properties.append(wanted)
    return model
  }

  @Test(arguments: TestStore.all) func aFetchedPropertyFollows(_ store: TestStore) throws {
    let model = model()
    try store.coordinator(model).inContext { context in
      let (person, _, _) = (
        context.make("Person", ["name": "c"]), context.make("Person", ["name": "a"]),
        context.make("Person", ["name": "b"])
      )
      try context.save()
      func wanted() -> [String?] {
        (person.value(forKey: "wanted") as? [NSManagedObject] ?? []).map { $0.text("name") }
      }
      #expect(wanted() == ["a"])
      let property = try #require(model.entitiesByName["Person"]?.propertiesByName["wanted"])
      property.userInfo?["wanted"] = "b"
      #expect(property.userInfo as? [String: String] == ["wanted": "b"])
      // The results are kept until the object is refreshed.
      context.refresh(person, mergeChanges: true)
      #expect(wanted() == ["b"])
      property.userInfo = nil
      context.refresh(person, mergeChanges: true)
      #expect(property.userInfo == nil && wanted().isEmpty)
    }
  }

  @Test func everyKindOfPropertyAllowsItAndVersionHashesStay() throws {
    let model = Society.model()
    let coordinator = try TestStore.sqlite.coordinator(model)
    let hashes = model.entityVersionHashesByName
    for entity in model.entities {
      for property in entity.properties { property.userInfo = ["shown": "\(entity.name ?? "").\(property.name)"] }
    }
    #expect(
      model.entitiesByName["Person"]?.attributesByName["name"]?.userInfo?["shown"] as? String == "Person.name"
        || model.entitiesByName["Manager"]?.attributesByName["name"]?.userInfo?["shown"] as? String == "Manager.name")
    #expect(model.entityVersionHashesByName == hashes)
    withExtendedLifetime(coordinator) {}
  }

  @Test func threadsMayReadWhileItIsSet() async throws {
    let model = Society.model()
    let coordinator = try TestStore.sqlite.coordinator(model)
    let property = try #require(model.entitiesByName["Club"]?.attributesByName["name"])
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          for step in 0..<500 {
            if number == 0 { property.userInfo = ["step": step] } else { _ = property.userInfo?["step"] as? Int }
          }
        }
      }
    }
    #expect(property.userInfo?["step"] as? Int == 499)
    withExtendedLifetime(coordinator) {}
  }

  /// Nothing else of a property may change, and nothing of an entity.
  @Test func anotherChangeStillStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = Society.model()
      let coordinator = try TestStore.sqlite.coordinator(model)
      model.entitiesByName["Club"]?.attributesByName["name"]?.isOptional = false
      withExtendedLifetime(coordinator) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Can't modify an immutable model."))
  }
}
