import CoreData
import Foundation
import Testing
import XMLReading

#if canImport(FoundationXML)
  import FoundationXML
#endif

@_spi(Store) @testable import OpenCoreData

@Suite struct XMLStoreTests {
  private static func model() -> NSManagedObjectModel {
    let person = TestModel.entity(
      "Person",
      [
        TestModel.attribute("firstName", .stringAttributeType), TestModel.attribute("age", .integer16AttributeType),
        TestModel.attribute("born", .dateAttributeType), TestModel.attribute("pay", .decimalAttributeType),
        TestModel.attribute("photo", .binaryDataAttributeType), TestModel.attribute("isAdult", .booleanAttributeType),
        TestModel.attribute("weight", .doubleAttributeType),
      ])
    TestModel.relate(person, "boss", max: 1, person, "reports", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [person]
    return model
  }

  /// As Apple's framework would write it, hashes left out: those depend on it.
  private static let document = #"""
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>498313E6-D672-4887-A947-08765F4F1012</UUID>
            <nextObjectID>104</nextObjectID>
            <metadata>
                <plist version="1.0">
                    <dict>
                        <key>mine</key>
                        <string>kept</string>
                    </dict>
                </plist>
            </metadata>
        </databaseInfo>
        <object type="PERSON" id="z102">
            <attribute name="weight" type="double">81.50000000000000000000</attribute>
            <attribute name="firstname" type="string">Bob \u3c00&amp;\u3e00</attribute>
            <attribute name="photo" type="binary">AQID
    BAU=
    </attribute>
            <attribute name="isadult" type="bool">1</attribute>
            <attribute name="born" type="date">-978307200.00000000000000000000</attribute>
            <relationship name="boss" type="1/1" destination="PERSON"></relationship>
            <relationship name="reports" type="0/0" destination="PERSON" idrefs="z104 z103"></relationship>
        </object>
        <object type="PERSON" id="z103">
            <attribute name="pay" type="decimal">0.1</attribute>
            <attribute name="age" type="int16">40</attribute>
            <relationship name="boss" type="1/1" destination="PERSON" idrefs="z102"></relationship>
        </object>
        <object type="PERSON" id="z104">
            <attribute name="firstname" type="string"></attribute>
            <relationship name="boss" type="1/1" destination="PERSON" idrefs="z102"></relationship>
        </object>
    </database>
    """#

  private static func url(_ text: String? = nil) throws -> URL {
    let url = try AtomicModel.folder().appendingPathComponent("Store.xml")
    if let text { try Data(text.utf8).write(to: url) }
    return url
  }

  @Test func readsADocument() throws {
    let url = try Self.url(Self.document)
    let coordinator = try AtomicModel.coordinator(NSXMLStoreType, url, Self.model())
    let store = coordinator.persistentStores[0]
    #expect(store.identifier == "498313E6-D672-4887-A947-08765F4F1012")
    #expect(coordinator.metadata(for: store)["mine"] as? String == "kept")
    let before = try Data(contentsOf: url)
    try coordinator.inContext { context in
      let uri = try #require(URL(string: "x-coredata://498313E6-D672-4887-A947-08765F4F1012/Person/p102"))
      let bob = context.object(with: try #require(coordinator.managedObjectID(forURIRepresentation: uri)))
      #expect(bob.text("firstName") == "Bob <&>")
      #expect(bob.value(forKey: "weight") as? Double == 81.5)
      #expect(bob.value(forKey: "photo") as? Data == Data([1, 2, 3, 4, 5]))
      #expect(bob.value(forKey: "isAdult") as? Bool == true)
      #expect(bob.value(forKey: "born") as? Date == Date(timeIntervalSince1970: 0))
      #expect(bob.value(forKey: "age") == nil)
      let reports = bob.many("reports").sorted { ($0.number("age") ?? 0) > ($1.number("age") ?? 0) }
      #expect(reports.map { $0.text("firstName") } == [nil, ""])
      #expect(reports.map { $0.value(forKey: "pay") as? NSDecimalNumber } == [NSDecimalNumber(string: "0.1"), nil])
      #expect(reports.map { $0.one("boss") } == [bob, bob])
      try context.save()
    }
    // Nothing was changed, so nothing was written.
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func writesADocument() throws {
    let url = try Self.url()
    let coordinator = try AtomicModel.coordinator(NSXMLStoreType, url, Self.model())
    let store = coordinator.persistentStores[0]
    try coordinator.inContext { context in
      let bob = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      bob.setValue("Bob <&>\r\n\0", forKey: "firstName")
      bob.setValue(40, forKey: "age")
      try context.save()
      let ann = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      ann.setValue(bob, forKey: "boss")
      ann.setValue(NSDecimalNumber(string: "-12345678901234567890.12345678901234567"), forKey: "pay")
      ann.setValue(Data([255, 0]), forKey: "photo")
      ann.setValue(true, forKey: "isAdult")
      ann.setValue(0.1, forKey: "weight")
      ann.setValue(Date(timeIntervalSinceReferenceDate: 0.25), forKey: "born")
      try context.save()
    }
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>\(store.identifier ?? "")</UUID>
                <nextObjectID>103</nextObjectID>
                <metadata>
        <plist version="1.0">
        <dict>

        """))
    #expect(
      text.hasSuffix(
        #"""
            </databaseInfo>
            <object type="PERSON" id="z102">
                <attribute name="age" type="int16">40</attribute>
                <attribute name="firstname" type="string">Bob &lt;&amp;&gt;&#13;
        \u0000</attribute>
                <relationship name="boss" type="0/1" destination="PERSON"></relationship>
                <relationship name="reports" type="0/0" destination="PERSON" idrefs="z103"></relationship>
            </object>
            <object type="PERSON" id="z103">
                <attribute name="born" type="date">0.25</attribute>
                <attribute name="isadult" type="bool">1</attribute>
                <attribute name="pay" type="decimal">-12345678901234567890.12345678901234567</attribute>
                <attribute name="photo" type="binary">/wA=</attribute>
                <attribute name="weight" type="double">0.1</attribute>
                <relationship name="boss" type="0/1" destination="PERSON" idrefs="z102"></relationship>
                <relationship name="reports" type="0/0" destination="PERSON"></relationship>
            </object>
        </database>

        """#), "\(text)")
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "Foundation's parser does not read it")
  }

  @Test(arguments: [
    (#"type="PERSON" id="z103""#, #"type="PET" id="z103""#, "PET (line 29)"),
    (#"name="age""#, #"name="height""#, "height (line 31)"),
    (#"<attribute name="age" type="int16">40"#, #"<attribute name="age" type="int16">40000"#, "age"),
    (#"id="z104""#, #"id="z103""#, "two objects"), (#"id="z104""#, #"id="z105""#, "not there"),
    (#"type="int16">40"#, #"type="int16" more="1">40"#, "unknown attribute"),
    ("<attribute name=\"age\" type=\"int16\">40</attribute>", "<extra/>", "unknown part: <extra>"),
    (">AQID", ">AQI?D", "photo"), ("<UUID>4", "<UUID>x", "UUID"), ("</database>", "", "ends inside"),
    (#"idrefs="z102""#, #"idrefs="z102 z103""#, "to-one"),
  ])
  func refusesWhatWouldBeLost(_ part: String, _ other: String, _ reason: String) throws {
    let text = Self.document.replacingOccurrences(of: part, with: other)
    #expect(text != Self.document)
    let url = try Self.url(text)
    let error = #expect(throws: NSError.self) {
      try AtomicModel.coordinator(NSXMLStoreType, url, Self.model())
    }
    #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
    #expect(error?.localizedDescription.contains(reason) == true, "\(error?.localizedDescription ?? "")")
    #expect(try Data(contentsOf: url) == Data(text.utf8))
  }

  @Test(arguments: [
    (#"type="int16">40"#, #"type="int32">40"#, "int32"), ("\"0/0\"", "\"1/7\"", "1/7"),
    (
      #"<relationship name="boss" type="0/1" destination="PERSON" idrefs="z102"#,
      #"<relationship name="boss" type="0/1" destination="PERSON" idrefs="z103"#, "lead back"
    ),
    ("<nextObjectID>104", "<nextObjectID>103", "behind"),
    (#"<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#, "", "document type"),
  ])
  func checksStrictlyWhenAsked(_ part: String, _ other: String, _ reason: String) throws {
    let good = Self.document.replacingOccurrences(of: "\"1/1\"", with: "\"0/1\"")
    let options = [NSValidateXMLStoreOption: true]
    _ = try AtomicModel.coordinator(NSXMLStoreType, try Self.url(good), Self.model(), options: options)
    let url = try Self.url(good.replacingOccurrences(of: part, with: other))
    _ = try AtomicModel.coordinator(NSXMLStoreType, url, Self.model())
    let error = #expect(throws: NSError.self) {
      try AtomicModel.coordinator(NSXMLStoreType, url, Self.model(), options: options)
    }
    #expect(error?.localizedDescription.contains(reason) == true, "\(error?.localizedDescription ?? "")")
  }

  /// Mapping models are XML stores that Apple's framework wrote; the model is made of what the file says.
  @Test(.enabled(if: Corpus.isThere, "no corpus")) func readsApplesFiles() throws {
    for file in Corpus.files("xcmapping.xml", below: "stores") {
      let data = try Data(contentsOf: file)
      let (model, count) = try Self.describedModel(data)
      // Its hashes are those of the model that the file was made with.
      var text = String(decoding: data, as: UTF8.self)
      text = text.replacingOccurrences(of: "NSStoreModelVersionHashes<", with: "Formerly<")
      let url = try Self.url(text)
      let coordinator = try AtomicModel.coordinator(NSXMLStoreType, url, model)
      let dump = try coordinator.inContext { try Self.dump($0) }
      #expect(dump.count == count)
      coordinator.persistentStores[0].metadata["mine"] = "x"
      try coordinator.inContext { try $0.save() }
      let again = try AtomicModel.coordinator(NSXMLStoreType, url, model)
      #expect(try again.inContext { try Self.dump($0) } == dump)
      let names = try Self.values(of: data)
      #expect(try Self.values(of: Data(contentsOf: url)) == names)
    }
  }

  private static func dump(_ context: NSManagedObjectContext) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Root")
    return try context.fetch(request).map { object in
      let attributes = object.entity.attributesByName.keys.sorted().map { "\($0)=\(object.value(forKey: $0) ?? "")" }
      let members = object.entity.relationshipsByName.keys.sorted().map { name in
        ((object.value(forKey: name) as? NSSet)?.allObjects ?? []).compactMap {
          ($0 as? NSManagedObject)?.objectID.uriRepresentation().absoluteString
        }.sorted()
      }
      return "\(object.objectID.uriRepresentation()) \(attributes) \(members)"
    }
  }

  /// Every value and reference in a file, in an order of its own.
  private static func values(of data: Data) throws -> [String] {
    var scanner = try XMLScanner(data)
    var result: [String] = [], object = "", name = "", text = ""
    while true {
      switch try scanner.next() {
      case .start("object", let attributes): object = attributes.map(\.value).sorted().joined(separator: " ")
      case .start(_, let attributes):
        name = attributes.first { $0.name == "name" }?.value ?? ""
        let references = attributes.first { $0.name == "idrefs" }?.value.split(separator: " ").sorted() ?? []
        if !references.isEmpty { result.append("\(object) \(name) \(references)") }
        text = ""
      case .text(let part): text += part
      case .end:
        if !name.isEmpty, !text.isEmpty { result.append("\(object) \(name) \(text.filter { !$0.isWhitespace })") }
        name = ""
      case .finished: return result.sorted()
      }
    }
  }

  private static func describedModel(_ data: Data) throws -> (NSManagedObjectModel, Int) {
    let root = NSEntityDescription()
    root.name = "Root"
    var entities: [String: NSEntityDescription] = [:], current = root, count = 0
    func entity(_ name: String) -> NSEntityDescription {
      if let known = entities[name] { return known }
      let new = TestModel.entity(name, [], parent: root)
      entities[name] = new
      return new
    }
    let types: [String: NSAttributeType] = [
      "string": .stringAttributeType, "int16": .integer16AttributeType, "bool": .booleanAttributeType,
      "binary": .binaryDataAttributeType,
    ]
    var scanner = try XMLScanner(data)
    while true {
      guard case .start(let element, let list) = try scanner.next() else {
        if scanner.position < data.count { continue }
        break
      }
      let values = Dictionary(list.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      if element == "object" {
        current = entity(values["type"] ?? "")
        count += 1
      } else if element == "attribute", let name = values["name"], current.propertiesByName[name] == nil {
        current.properties.append(TestModel.attribute(name, types[values["type"] ?? ""] ?? .stringAttributeType))
      } else if element == "relationship", let name = values["name"], current.propertiesByName[name] == nil {
        let relationship = NSRelationshipDescription()
        (relationship.name, relationship.destinationEntity) = (name, entity(values["destination"] ?? ""))
        (relationship.minCount, relationship.maxCount) = values["type"] == "1/1" ? (1, 1) : (0, 0)
        relationship.isOptional = true
        current.properties.append(relationship)
      }
    }
    let model = NSManagedObjectModel()
    model.entities = [root] + entities.values
    return (model, count)
  }
}
