import ModelCompilerCore
import Testing

@Suite struct GeneratorTests {
  private func generate(_ source: String) -> String {
    Generator.generate(module: "App", files: [Parser.parse(source, path: "/app/Person.swift")])
  }

  @Test func aModule() {
    let text = generate(
      """
      import CoreData
      public class Person: NSManagedObject {
        @NSManaged public var name: String?
        @NSManaged var friends: Set<Person>
        @NSManaged public func addToFriends(_ value: Person)
      }
      """)
    #expect(
      text == #"""
        // Generated from the @NSManaged declarations of module App. Do not edit.

        import CoreData

        // Person.swift
        extension Person {
          @_silgen_name("$s3App6PersonC4nameSSSgvg") @usableFromInline dynamic func _get_Person_name() -> String? { _managedValue(_key_name) }
          @_silgen_name("$s3App6PersonC4nameSSSgvs") @usableFromInline dynamic func _set_Person_name(_ value: __owned String?) { _setManagedValue(value, _key_name) }
          @_silgen_name("$s3App6PersonC7friendsShyACGvg") func _get_Person_friends() -> Set<Person> { _managedValue(_key_friends) }
          @_silgen_name("$s3App6PersonC7friendsShyACGvs") func _set_Person_friends(_ value: __owned Set<Person>) { _setManagedValue(value, _key_friends) }
          @_silgen_name("$s3App6PersonC12addToFriendsyyACF") @usableFromInline dynamic func _do_Person_addToFriends(_ value0: Person) { _managedAdd(value0, _key_friends) }
        }

        private nonisolated let _key_friends = CoreData._PropertyKey("friends")
        private nonisolated let _key_name = CoreData._PropertyKey("name")

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
          list.append(("Person", Person.self))
          return list
        }

        private nonisolated func _managedKeyPaths() -> [(AnyKeyPath, String)] {
          var list: [(AnyKeyPath, String)] = []
          _listKeyPaths0(&list)
          return list
        }

        @_optimize(none)
        private nonisolated func _listKeyPaths0(_ list: inout [(AnyKeyPath, String)]) {
          list.append((\Person.name as AnyKeyPath, "name"))
          list.append((\Person.friends as AnyKeyPath, "friends"))
        }

        """#)
  }

  @Test func aModuleWithoutClassesNeedsNoImport() {
    #expect(generate("struct A {}") == "// Generated from the @NSManaged declarations of module App. Do not edit.\n")
  }

  @Test(arguments: [
    ("class A: NSManagedObject { @NSManaged var t: (Int, Int) }", "property 'A.t' has a type that no property"),
    ("class A: NSManagedObject { @NSManaged var t: Nowhere }", "type whose declaration was not found: Nowhere"),
    ("typealias B = [C]; typealias C = B; class A: NSManagedObject { @NSManaged var t: B }", "leads back to itself: B"),
    ("typealias A = A; extension A { @NSManaged var t: Int }", "extends a type whose declaration was not found: A"),
    ("typealias B = B.C; class A: NSManagedObject { @NSManaged var t: B.D }", "was not found: B.D"),
    ("class A: NSManagedObject { @NSManaged func go(_ x: Int) }", "method 'A.go' is none of the methods"),
    ("class A: NSManagedObject { @NSManaged func addToB(_ x: A) -> Int }", "it returns a value"),
    ("class A<T>: NSManagedObject { @NSManaged var t: Int }", "belongs to a generic class"),
    ("class A: NSObject { @NSManaged var t: Int }", "does not descend from NSManagedObject"),
    ("func f() { class A: NSManagedObject { @NSManaged var t: Int } }", "declared in a function"),
    (
      "private class B: NSManagedObject {}\nclass A: NSManagedObject { @NSManaged private var t: Set<B> }",
      "collection of a private class"
    ),
  ])
  func whatIsNotSupportedIsAnErrorAtTheDeclaration(source: String, message: String) {
    let text = generate(source)
    #expect(text.contains("#error(\"Person.swift: @NSManaged "))
    #expect(text.contains(message))
    #expect(text.contains("#sourceLocation(file: \"/app/Person.swift\", line: "))
  }

  @Test func theErrorTellsWhatToWrite() {
    let text = generate("class A: NSManagedObject { @NSManaged public var t: Nowhere? }")
    #expect(
      text.contains(
        #"instead: var t: Nowhere? { get { value(forKey: \"t\") as? Nowhere } set { setValue(newValue, forKey: \"t\") } }"#
      ))
  }

  @Test func modelsAreRegistered() {
    let text = Generator.generate(module: "App", files: [], models: ["/b/Photos.xcdatamodeld"])
    #expect(text.contains("  _registerModel(\"/b/Photos.xcdatamodeld\", module: \"App\")\n}"))
    #expect(text.contains("import CoreData"))
  }

  @Test func relationshipMethodsFindTheirKey() {
    let text = generate(
      """
      class A: NSManagedObject { @NSManaged var URLs: NSSet? }
      class B: A {
        @NSManaged func addToURLs(_ v: A); @NSManaged func addToys(_ v: NSSet); @NSManaged func removePetsObject(_ v: A)
      }
      """)
    #expect(text.contains("_managedAdd(value0, _key_URLs)"))
    #expect(text.contains("_managedAdd(value0, _key_toys)"))
    #expect(text.contains("_managedRemove(value0, _key_pets)"))
  }

  @Test func privateClassesStandUnderTheirBase() {
    let text = generate("private class P: NSManagedObject { @NSManaged var p: P? }")
    #expect(text.contains("extension NSManagedObject {"))
    #expect(text.contains("-> NSManagedObject? { _managedValue(_key_p) }"))
    #expect(!text.contains("P.self"))
  }

  @Test func importsFollowTheSources() {
    let text = generate(
      """
      public import CoreData
      internal import Lib
      class P: NSManagedObject { @NSManaged var p: P? }
      """)
    #expect(text.contains("\ninternal import CoreData\ninternal import Lib\n"))
  }
}
