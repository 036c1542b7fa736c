import Foundation
import ModelCompilerCore
import Testing

@Suite struct ClassGeneratorTests {
  private func generate(_ entities: String, module: String = "App") throws -> String {
    let data = Data("<model>\n\(entities)\n</model>".utf8)
    return ClassGenerator.generate(
      module: module, name: "Model", model: try ModelReader.read(data, path: "/app/Model.xcdatamodel/contents"))
  }

  @Test func aClassDefinition() throws {
    let text = try generate(
      """
      <entity name="Photo" representedClassName="Photo" codeGenerationType="class">
        <attribute name="likes" attributeType="Integer 16" usesScalarValueType="YES"/>
        <attribute name="title" attributeType="String"/>
      </entity>
      """)
    #expect(
      text == #"""
        // Generated from the model Model. Do not edit.
        public import CoreData

        nonisolated public class Photo: NSManagedObject {}

        nonisolated extension Photo {
          @nonobjc public class func fetchRequest() -> NSFetchRequest<Photo> {
            NSFetchRequest<Photo>(entityName: "Photo")
          }
          public var likes: Int16 {
            get { _managedValue(_key_likes) }
            set { _setManagedValue(newValue, _key_likes) }
          }
          public var title: String? {
            get { _managedValue(_key_title) }
            set { _setManagedValue(newValue, _key_title) }
          }
        }

        extension Photo: Identifiable {}

        private nonisolated let _key_likes = CoreData._PropertyKey("likes")
        private nonisolated let _key_title = CoreData._PropertyKey("title")

        #if compiler(>=6.3)
        #if objectFormat(ELF)
        @used @section(".init_array")
        #elseif objectFormat(COFF)
        @used @section(".CRT$XCU")
        #endif
        private nonisolated let _register: @convention(c) () -> Void = {
          _registerManagedModule(
            name: "App", classes: { _managedClasses() }, keyPaths: { _managedKeyPaths() })
        }
        #else
        private nonisolated final class _CoreDataRegistration: CoreData._ModuleRegistration {
          static func register() {
          _registerManagedModule(
            name: "App", classes: { _managedClasses() }, keyPaths: { _managedKeyPaths() })
          }
        }
        #endif

        private nonisolated func _managedClasses() -> [(String, NSManagedObject.Type)] {
          var list: [(String, NSManagedObject.Type)] = []
          list.append(("Photo", Photo.self))
          return list
        }

        private nonisolated func _managedKeyPaths() -> [(AnyKeyPath, String)] {
          var list: [(AnyKeyPath, String)] = []
          _listKeyPaths0(&list)
          return list
        }

        @_optimize(none)
        private nonisolated func _listKeyPaths0(_ list: inout [(AnyKeyPath, String)]) {
          list.append((\Photo.likes as AnyKeyPath, "likes"))
          list.append((\Photo.title as AnyKeyPath, "title"))
        }

        """#)
  }

  @Test func whatIsManualGetsNothing() throws {
    let text = try generate("<entity name=\"Photo\" representedClassName=\"Photo\"/>")
    #expect(text == "// Generated from the model Model. Do not edit.\n")
    #expect(try generate("<entity name=\"Photo\" codeGenerationType=\"class\"/>") == text)
  }

  @Test func anExtensionHasNoClass() throws {
    let text = try generate(
      "<entity name=\"Photo\" representedClassName=\".Photo\" codeGenerationType=\"category\"/>")
    #expect(text.contains("extension Photo {") && !text.contains("class Photo") && !text.contains("Photo.self"))
    // The class may be internal: without this use, a compiler that was told to would warn about the public import.
    #expect(text.contains("\n@usableFromInline internal typealias _ModelImport_Model = NSManagedObject\n"))
    let both = try generate(
      "<entity name=\"A\" representedClassName=\".A\" codeGenerationType=\"category\"/>"
        + "<entity name=\"B\" representedClassName=\".B\" codeGenerationType=\"class\"/>")
    #expect(!both.contains("_ModelImport"))
  }

  @Test(arguments: [
    (#"attributeType="Integer 64""#, "NSNumber?"), (#"attributeType="Boolean" usesScalarValueType="YES""#, "Bool"),
    (#"attributeType="Boolean" usesScalarValueType="NO""#, "NSNumber?"), (#"attributeType="Date""#, "Date?"),
    (#"attributeType="Float" usesScalarValueType="YES""#, "Float"), (#"attributeType="Binary""#, "Data?"),
    (#"attributeType="Decimal" usesScalarValueType="YES""#, "NSDecimalNumber?"), (#"attributeType="URI""#, "URL?"),
    (#"attributeType="Date" usesScalarValueType="YES""#, "TimeInterval"), (#"attributeType="UUID""#, "UUID?"),
    (#"attributeType="Transformable""#, "NSObject?"), (#"transient="YES""#, "NSObject?"),
    (#"attributeType="Transformable" customClassName="[String]""#, "[String]?"),
    (#"attributeType="Transformable" customClassName=".Colour""#, "Colour?"),
    (#"attributeType="Transformable" customClassName=".""#, "NSObject?"),
    (#"attributeType="Transformable" customClassName="Kit.Colour""#, "Kit.Colour?"),
    (#"attributeType="Composite" composite="C""#, "[String: Any]?"),
    (#"attributeType="String" derived="YES" derivationExpression="canonical:(x)""#, "String?"),
  ])
  func types(attributes: String, type: String) throws {
    let text = try generate(
      "<entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"class\"><attribute name=\"x\" \(attributes)/></entity>"
    )
    #expect(text.contains("  public var x: \(type) {\n"))
    #expect(text.contains("public import Kit\n") == type.hasPrefix("Kit."))
  }

  @Test func relationships() throws {
    let text = try generate(
      """
      <entity name="A" representedClassName="A" codeGenerationType="class">
        <relationship name="bs" toMany="YES" destinationEntity="B"/>
        <relationship name="items" toMany="YES" ordered="YES" destinationEntity="Plain"/>
        <relationship name="one" maxCount="1" destinationEntity="B"/>
      </entity>
      <entity name="B" representedClassName="App.B" parentEntity="Base" codeGenerationType="class"/>
      <entity name="Base" representedClassName="Kit.Base"/><entity name="Plain"/>
      """)
    for line in [
      "nonisolated public class B: Kit.Base {}", "public import Kit", "public var bs: NSSet? {",
      "public var items: NSOrderedSet? {", "public var one: B? {",
      "public func addToBs(_ value: B) { _managedAdd(value, _key_bs) }",
      "public func addToBs<Member: B>(_ values: some Sequence<Member>) { _managedAdd(values, _key_bs) }",
      "public func removeFromItems<Member: NSManagedObject>(_ values: some Sequence<Member>) {",
      "public func removeFromBs(_ values: NSSet) { _managedRemove(values, _key_bs) }",
      "public func insertIntoItems(_ value: NSManagedObject, at idx: Int) { _managedInsert(value, at: idx, _key_items) }",
      "public func replaceItems(at indexes: NSIndexSet, with values: [NSManagedObject]) {",
      "public func addToItems(_ values: NSOrderedSet) {", "extension A: Identifiable {}",
    ] { #expect(text.contains(line)) }
    #expect(!text.contains("extension B: Identifiable"))
  }
}
