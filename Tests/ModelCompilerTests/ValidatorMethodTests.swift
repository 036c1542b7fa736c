import ModelCompilerCore
import Testing

/// Methods that key-value validation finds by their names.
@Suite struct ValidatorMethodTests {
  private func found(_ source: String) -> [String] {
    Parser.parse(source, path: "/a/File.swift").validators.map {
      ($0.info.container.path + [$0.info.name]).joined(separator: ".") + " \($0.key)"
    }
  }

  private func registration(_ source: String) -> String {
    Generator.generate(module: "App", files: [Parser.parse(source, path: "/app/Person.swift")])
  }

  @Test func whatIsOne() {
    #expect(
      found(
        """
        class A: NSManagedObject {
          func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws { if a { b() } }
          @objc override public func validateURL(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>?) throws {}
          @objc(validateAge:error:) func check(_ value: Foundation.UnsafeMutablePointer<AnyObject?>) throws {}
          struct B {}
        }
        extension A { func validateFriends(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {} }
        """) == ["A.validateName Name", "A.validateURL URL", "A.check Age", "A.validateFriends Friends"])
  }

  @Test func whatIsNone() {
    #expect(
      found(
        """
        func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        class A: NSManagedObject {
          static func validateA(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
          class func validateB(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
          func validateC(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) {}
          func validateD(value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
          func validateE(_ value: String) throws {}
          func validateF(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, _ b: Int) throws {}
          func validated(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
          func validate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
          func validateG<T>(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, t: T) throws {}
          func validateH(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) async throws {}
          func validateI(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Bool { true }
          @objc(check:error:) func validateJ(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
          func f() { func validateK(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {} }
        }
        """) == [])
    // What follows is read as before.
    let file = Parser.parse(
      "class A { func validateX(_ v: T) throws { } @NSManaged var a: Int; func validateY() {} }\nclass B {}", path: "/a"
    )
    #expect(file.members.map(\.info.name) == ["a"] && file.types.map(\.info.name) == ["A", "B"])
  }

  @Test func theyAreListed() {
    let text = registration(
      """
      import CoreData
      class Person: NSManagedObject {
        #if DEBUG
        func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        #endif
        private func validateAge(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      }
      private class Hidden: Person {
        func validateA(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      }
      class Generic<T>: Person {
        func validateB(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      }
      class Form { func validateC(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {} }
      extension Person { func `validateD`(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {} }
      """)
    #expect(
      text.contains(
        """
            name: "App", classes: { _managedClasses() }, keyPaths: { _managedKeyPaths() },
            validators: { _managedValidators() })
        """))
    #expect(
      text.contains(
        #"""
        private nonisolated func _managedValidators() -> [_ManagedValidator] {
          var list: [_ManagedValidator] = []
        #if (DEBUG)
          list.append(_ManagedValidator(Person.self, "Name") { try $0.validateName($1) })
        #endif
          list.append(_ManagedValidator(Person.self, "D") { try $0.validateD($1) })
          return list
        }
        """#), "\(text)")
  }
}
