import ModelCompilerCore
import Testing

/// Members that are found by their names on Apple's systems, and are listed by generated code.
@Suite struct NamedMemberTests {
  private func found(_ source: String) -> [String] {
    Parser.parse(source, path: "/a/File.swift").namedMembers.map {
      ($0.info.container.path + [$0.info.name]).joined(separator: ".") + ($0.isExposed ? " exposed" : "")
    }
  }

  private func registration(_ source: String) -> String {
    Generator.generate(module: "App", files: [Parser.parse(source, path: "/app/Person.swift")])
  }

  private func rewritten(_ source: String) throws -> Rewriter.Output {
    try Rewriter.rewrite(module: "App", files: [SourceFile(source, path: "/app/Person.swift")])
  }

  @Test func whatIsOne() {
    #expect(
      found(
        """
        class A: NSManagedObject {
          @objc var title: String? { "a" }
          var plain = 5, other: Int = 6
          private lazy var hidden: [String] = { let inner = 1; return [] }()
          class func keyPathsForValuesAffectingTitle() -> Set<String> { ["a"] }
          func country(of address: String, _ language: String?) -> String? { nil }
        }
        @objc extension A { var late: Int { get { 1 } set {} } }
        """) == [
          "A.title exposed", "A.plain", "A.hidden", "A.keyPathsForValuesAffectingTitle", "A.country", "A.late exposed",
        ])
  }

  @Test func whatIsNone() {
    #expect(
      found(
        """
        var top = 1
        class A: NSManagedObject {
          @NSManaged var managed: String
          @MainActor var isolated: Int { 1 }
          @available(*, deprecated) var old: Int { 1 }
          var throwing: Int { get throws { 1 } }
          var later: Int { get async { 1 } }
          func f(_ x: inout Int) {}
          func g() async {}
          func h(a: Int = 1) {}
          func i<T>(_ t: T) {}
          var (a, b) = (1, 2)
        }
        @MainActor class B: NSObject { @objc var title = "" }
        actor C { var title = "" }
        """) == [])
  }

  @Test func propertiesOfManagedClassesAreListed() {
    let text = registration(
      """
      import CoreData
      class Base: NSManagedObject { var title: String { "" }; private var hidden = 1 }
      class Person: Base { @NSManaged var name: String? }
      extension Person { class func keyPathsForValuesAffectingTitle() -> Set<String> { ["name"] } }
      struct S { var x = 1 }
      class Plain { var y = 1 }
      class Box<T>: NSManagedObject { var z = 1 }
      """)
    #expect(text.contains("_registerClassMembers { _classMembers() }"))
    #expect(text.contains("list.append(CoreData._ClassMember(Base.self, \"title\", \\Base.title, isExposed: false))"))
    #expect(
      text.contains("list.append(CoreData._ClassMember(Person.self, \"title\", \\Person.title, isExposed: false))"))
    #expect(text.contains("(Person.self, affecting: \"Title\", { Person.keyPathsForValuesAffectingTitle() })"))
    for name in ["hidden", "\\S.x", "Plain", "Box"] { #expect(!text.contains(name), "\(name)") }
  }

  @Test func exposureComesFromAttributes() throws {
    let text = try rewritten(
      """
      import CoreData
      @objcMembers class Person: NSManagedObject {
        var title: String? { "" }
        var kind: Kind { .a }
        @objc(fullName) var name: String { "" }
        override var status: Int { get { super.status } set {} }
      }
      class Plain: NSObject { @objc var y = 1; var z = 1 }
      """
    ).registration
    #expect(text.contains("\\Person.title, isExposed: true"))
    #expect(text.contains("\\Person.kind, isExposed: false"))
    #expect(text.contains("\"fullName\", \\Person.name, isExposed: true"))
    #expect(text.contains("(Plain.self, \"y\", \\Plain.y, isExposed: true)"))
    #expect(!text.contains("\\Plain.z") && !text.contains("\\Person.status"))
  }

  @Test func anOverrideOfAManagedPropertyIsItsAccessor() throws {
    let text = try rewritten(
      """
      import CoreData
      class Base: NSManagedObject { @NSManaged var status: Int }
      class Person: Base { override var status: Int { get { super.status } set { super.status = newValue } } }
      """
    ).registration
    #expect(text.contains("(Person.self, \"status\", \\Person.status, isExposed: true)"))
  }

  @Test func whatOnlyItsFileCanNameIsListedThere() throws {
    let made = try rewritten(
      """
      import Foundation
      fileprivate class Note: NSManagedObject { @NSManaged var text: String? }
      class Person: NSManagedObject { @objc private var secret: String { "" } }
      """)
    let copy = try #require(made.copies.first)
    #expect(copy.contains("\nimport CoreData\n"))
    #expect(copy.contains("(Note.self, \"text\", \\Note.text, isExposed: false)"))
    #expect(copy.contains("(Person.self, \"secret\", \\Person.secret, isExposed: true)"))
    #expect(copy.contains("func _listHiddenMembers_Person(_ list: inout [CoreData._ClassMember]) {"))
    #expect(made.registration.contains("  _listHiddenMembers_Person(&list)\n"))
  }

  @Test func methodsThatAreAddedToFoundationsValuesAreListed() throws {
    let made = try rewritten(
      """
      import CoreData
      extension NSString {
        @objc func shout(_ mark: String) -> String { uppercased + mark }
        @objc(twice) func doubled() -> NSString { self }
        @objc var isLoud: Bool { true }
        @objc private func whisper() -> String { lowercased }
        func unknownToObjectiveC() {}
      }
      extension Foundation.NSNumber { @objc func half() -> NSNumber { self } }
      extension NSThing { @objc func f() {} }
      """)
    let text = made.registration
    #expect(text.contains("(NSString.self, selector: \"shout:\", NSString.shout(_:))"))
    #expect(text.contains("(NSString.self, selector: \"twice\", NSString.doubled)"))
    #expect(text.contains("(NSString.self, \"isLoud\", \\NSString.isLoud, isExposed: true)"))
    #expect(text.contains("NSNumber.self, selector: \"half\", "))
    #expect(try #require(made.copies.first).contains("(NSString.self, selector: \"whisper\", NSString.whisper)"))
    #expect(!text.contains("unknownToObjectiveC") && !text.contains("NSThing"))
  }

  @Test func methodsOfMigrationPoliciesAreListed() throws {
    let text = try rewritten(
      """
      import CoreData
      @objc(Policy7) class NotePolicy: NSEntityMigrationPolicy {
        @objc func country(of address: String, language: String) -> String? { nil }
        @objc(upper:) func uppercase(_ text: String) -> String { text }
        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}
      }
      """
    ).registration
    #expect(text.contains("_registerMigrationPolicies { _migrationPolicies() }"))
    #expect(
      text.contains("list.append((\"NotePolicy\", NotePolicy.self))\n  list.append((\"Policy7\", NotePolicy.self))"))
    #expect(text.contains("(NotePolicy.self, selector: \"countryOf:language:\", NotePolicy.country(of:language:))"))
    #expect(text.contains("(NotePolicy.self, selector: \"upper:\", NotePolicy.uppercase(_:))"))
    #expect(!text.contains("begin"))
  }
}
