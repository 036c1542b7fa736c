import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Fetch request templates and the requests of fetched properties.
@Suite struct TemplateTests {
  @Test func templatesAreKeptByName() throws {
    let model = EverythingModel.make()
    #expect(Array(model.fetchRequestTemplatesByName.keys) == ["byName"])
    let template = try #require(model.fetchRequestTemplate(forName: "byName"))
    #expect(template.entity === model.entitiesByName["Person"] && template.fetchLimit == 10)
    #expect(template.sortDescriptors?.map(\.key) == ["name", "age"] && !template.includesSubentities)
    #expect(model.fetchRequestTemplate(forName: "other") == nil)
    model.setFetchRequestTemplate(nil, forName: "byName")
    #expect(model.fetchRequestTemplatesByName.isEmpty)
  }

  @Test func variablesAreReplaced() throws {
    let model = EverythingModel.make()
    let request = try #require(
      model.fetchRequestFromTemplate(withName: "byName", substitutionVariables: ["NAME": "A", "OWNER": NSNull()]))
    #expect(
      request.predicate?.description
        == "name BEGINSWITH[c] \"A\" OR SUBQUERY(pets, $p, $p.owner == nil).@count > 2")
    #expect(request.fetchOffset == 3 && request.entityName == "Person")
    // The template keeps its variables.
    #expect(model.fetchRequestTemplate(forName: "byName")?.predicate?.description.contains("$NAME") == true)
    #expect(model.fetchRequestFromTemplate(withName: "other", substitutionVariables: [:]) == nil)
  }

  @Test func changingARequestDoesNotChangeTheModel() throws {
    let model = EverythingModel.make()
    let request = EverythingModel.request()
    model.setFetchRequestTemplate(request, forName: "other")
    request.fetchLimit = 1
    model.fetchRequestTemplate(forName: "other")?.fetchLimit = 2
    model.freeze()
    #expect(model.fetchRequestTemplate(forName: "other")?.fetchLimit == 10)
    let fetched = try #require(
      model.entitiesByName["Writer"]?.propertiesByName["namesakes"] as? NSFetchedPropertyDescription)
    fetched.fetchRequest?.fetchLimit = 2
    #expect(fetched.fetchRequest?.fetchLimit == 0 && fetched.fetchRequest?.entity?.name == "Person")
  }

  @Test func modelsInUseKeepTheirTemplates() async {
    await #expect(processExitsWith: .failure) {
      let model = EverythingModel.make()
      model.freeze()
      model.setFetchRequestTemplate(nil, forName: "byName")
    }
  }

  @Test func fetchedPropertiesAreNoValues() throws {
    let model = EverythingModel.make()
    let with = model.entityVersionHashesByName
    let writer = try #require(model.entitiesByName["Writer"])
    #expect(writer.propertiesByName["namesakes"]?.isTransient == true)
    writer.propertiesByName["namesakes"]?.isTransient = false
    #expect(model.entityVersionHashesByName == with)
    model.freeze()
    #expect(!writer.layout.slots.contains { $0.name == "namesakes" })
    #expect(writer.layout.slots.contains { $0.name == "petCount" })
  }

  @Test func sourceAndCompiledModelsStateThem() throws {
    let source = """
      <model><entity name="A"><attribute name="x" optional="YES" attributeType="String"/>
      <fetchedProperty name="f" optional="YES"><fetchRequest name="q" entity="B" predicateString="y == $FETCH_SOURCE.x"/>
      </fetchedProperty></entity><entity name="B"><attribute name="y" optional="YES" attributeType="String"/></entity>
      <fetchRequest name="plain" entity="A"/>
      <fetchRequest name="ids" entity="A" predicateString="x LIKE 'a*'" resultType="1" fetchLimit="220"
        fetchBatchSize="20" includeSubentities="NO" returnDistinctResults="YES"/>
      <fetchRequest name="dictionaries" entity="A" resultType="2"/></model>
      """
    let model = NSManagedObjectModel()
    var reader = try SourceModelReader(root: XMLElementTree.parse(Data(source.utf8)))
    try reader.read(into: model)
    let plain = try #require(model.templates["plain"])
    #expect(plain.includesPendingChanges && plain.includesPropertyValues && plain.includesSubentities)
    let ids = try #require(model.fetchRequestTemplate(forName: "ids"))
    #expect(ids.resultType == .managedObjectIDResultType && ids.fetchLimit == 220 && ids.fetchBatchSize == 20)
    #expect(!ids.includesSubentities && !ids.includesPropertyValues && ids.includesPendingChanges)
    #expect(model.templates["ids"]?.returnsDistinctResults == true)
    #expect(model.templates["dictionaries"]?.includesPendingChanges == false)
    let fetched = try #require(model.entitiesByName["A"]?.propertiesByName["f"] as? NSFetchedPropertyDescription)
    #expect(fetched.fetchRequest?.entity === model.entitiesByName["B"])
    let read = NSManagedObjectModel()
    try ModelDecoder.decode(ModelEncoder.encode(model, as: .compiled), into: read)
    #expect(read == model)
  }

  @Test func templatesAreFetched() throws {
    let model = makePeopleModel()
    let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Animal")
    template.predicate = NSPredicate(format: "petName == $NAME")
    model.setFetchRequestTemplate(template, forName: "pets")
    template.resultType = NSFetchRequestResultType(rawValue: 2)
    model.setFetchRequestTemplate(template, forName: "dictionaries")
    let context = TestModel.context(try TestModel.coordinator(model, url: URL(fileURLWithPath: "/dev/null")))
    try context.performAndWait {
      for name in ["Rex", "Tom"] {
        NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context).setValue(name, forKey: "petName")
      }
      try context.save()
      func request(_ name: String) throws -> NSFetchRequest<any NSFetchRequestResult> {
        try #require(model.fetchRequestFromTemplate(withName: name, substitutionVariables: ["NAME": "Tom"]))
      }
      #expect(
        try context.fetch(request("pets")).map { ($0 as? NSManagedObject)?.value(forKey: "petName") as? String } == [
          "Tom"
        ])
      let dictionaries = try context.fetch(request("dictionaries"))
      #expect((dictionaries.first as? NSDictionary)?["petName"] as? String == "Tom" && dictionaries.count == 1)
    }
  }
}
