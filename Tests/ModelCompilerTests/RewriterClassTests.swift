import Foundation
import ModelCompilerCore
import Testing

/// Initialisers and overrides: what a class says otherwise without the Objective-C run time.
@Suite struct RewriterClassTests {
  private let imports = "import CoreData; "

  /// The copies of files that are called A.swift, B.swift and so on, without the lines that name them.
  private func copies(_ sources: String...) throws -> (texts: [String], changes: [SourceChange]) {
    let names = ["A", "B", "C"]
    let made = try Rewriter.rewrite(
      module: "App", files: zip(sources, names).map { SourceFile(imports + $0, path: "/app/\($1).swift") })
    let texts = try zip(made.copies, names).map { text, name in
      let first = "#sourceLocation(file: \"/app/\(name).swift\", line: 1)\n" + imports
      return String(text[try #require(text.range(of: first)).upperBound...])
    }
    return (texts, made.changes)
  }

  @Test(arguments: [
    (
      "override init(entity e: NSEntityDescription, insertInto c: NSManagedObjectContext?) {}",
      "required init(entity e: NSEntityDescription, insertInto c: NSManagedObjectContext?) {}"
    ),
    (
      "@available(*, unavailable)\n  override public init(entity: NSEntityDescription, insertInto: "
        + "NSManagedObjectContext?) {}",
      "@available(*, unavailable)\n  required public init(entity: NSEntityDescription, insertInto: "
        + "NSManagedObjectContext?) {}"
    ),
    (
      "@objc private override convenience init(entity: NSEntityDescription, insertInto: CoreData.NSManagedObjectContext!) {}",
      "              required convenience init(entity: NSEntityDescription, insertInto: CoreData.NSManagedObjectContext!) {}"
    ),
    (
      "convenience init(context moc: NSManagedObjectContext) {}",
      "convenience required init(context moc: NSManagedObjectContext) {}"
    ),
    (
      "required convenience init(context: NSManagedObjectContext) {}",
      "required convenience init(context: NSManagedObjectContext) {}"
    ),
    ("convenience init(context: Other) {}", "convenience init(context: Other) {}"),
    ("convenience init?(context: NSManagedObjectContext) {}", "convenience init?(context: NSManagedObjectContext) {}"),
    (
      "convenience init(context: NSManagedObjectContext, name: String) {}",
      "convenience init(context: NSManagedObjectContext, name: String) {}"
    ),
  ])
  func initializersOfManagedClasses(declaration: String, copy: String) throws {
    for type in ["class A: NSManagedObject", "class B: NSManagedObject {}; final class A: B"] {
      #expect(try copies("\(type) { \(declaration) }").texts[0] == "\(type) { \(copy) }")
    }
    #expect(
      try copies("class A: NSObject { \(declaration) }").texts[0].contains("required init(entity") == false)
  }

  @Test func openClassesHavePublicInitializers() throws {
    let text = try copies(
      "open class A: NSManagedObject { override init(entity: NSEntityDescription, insertInto: NSManagedObjectContext?) {} }"
    ).texts[0]
    #expect(text.contains("{ required public init(entity: "))
  }

  @Test(arguments: [
    ("class A: NSManagedObject", "init(x: Int) { }", true),
    ("class A: NSManagedObject", "convenience init(x: Int) { }", false),
    ("class A: NSManagedObject", "var a: Int?, b = 1, c: Int { 1 }; lazy var d: Int = 1; init() { }", true),
    ("class A: NSManagedObject", "@NSManaged var a: Int; init(context: NSManagedObjectContext) { }", true),
    ("class A: NSObject", "init(x: Int) { }", false),
    (
      "class A: NSManagedObject",
      "override init(entity: NSEntityDescription, insertInto: NSManagedObjectContext?) {}; init() { }", false
    ),
  ])
  func classesWithInitializersOfTheirOwn(type: String, members: String, isAdded: Bool) throws {
    let text = try copies("\(type) { \(members) }").texts[0]
    #expect(
      text.hasPrefix(
        "\(type) { required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) { "
          + "super.init(entity: entity, insertInto: context) };") == isAdded)
  }

  @Test func coordinatorsHaveTheirOwnInitializer() throws {
    let type = "class C: NSPersistentStoreCoordinator"
    #expect(
      try copies("\(type) { override init(managedObjectModel m: NSManagedObjectModel) {} }").texts[0]
        == "\(type) { required init(managedObjectModel m: NSManagedObjectModel) {} }")
    #expect(
      try copies("\(type) {\n init(x: Int) {}\n}").texts[0].hasPrefix(
        "\(type) { required init(managedObjectModel model: NSManagedObjectModel) { "
          + "super.init(managedObjectModel: model) }\n"))
  }

  @Test(arguments: [
    (
      "NSAtomicStore",
      "init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, "
        + "at url: URL, options: [AnyHashable: Any]?)",
      "persistentStoreCoordinator: root, configurationName: name, at: url, options: options"
    ),
    (
      "NSIncrementalStore",
      "init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, "
        + "at url: URL, options: [AnyHashable: Any]?)",
      "persistentStoreCoordinator: root, configurationName: name, at: url, options: options"
    ),
    ("ValueTransformer", "init()", ""), ("NSSecureUnarchiveFromDataTransformer", "init()", ""),
    ("NSEntityMigrationPolicy", "init()", ""),
  ])
  func storesAndTransformersHaveTheirInitializers(type: String, declaration: String, arguments: String) throws {
    #expect(
      try copies("class A: \(type) { init(x: Int) {} }").texts[0]
        == "class A: \(type) { required \(declaration) { super.init(\(arguments)) }; init(x: Int) {} }")
    #expect(
      try copies("class A: \(type) { override \(declaration) {} }").texts[0]
        == "class A: \(type) { required \(declaration) {} }")
    #expect(try copies("class A: \(type) { convenience init(x: Int) {} }").texts[0].contains("required") == false)
  }

  /// As on Apple's systems, where the run time stops the program at the initialiser that a class does not implement.
  @Test func aPropertyWithoutValueStopsTheInitializer() throws {
    let made = try copies("class A: NSManagedObject {\n  let a: Int\n  init(x: Int) { }\n}")
    #expect(
      made.texts[0].hasPrefix(
        "class A: NSManagedObject { required init(entity: NSEntityDescription, insertInto context: "
          + "NSManagedObjectContext?) { fatalError(\"Use of unimplemented initializer 'init(entity:insertInto:)' for "
          + "class 'A'\") }\n  let a"))
    #expect(!made.changes.contains { $0.isLeft })
  }

  @Test func classesInFunctions() throws {
    let made = try copies(
      """
      func f() {
        @objc(Local) final class A: NSManagedObject {
          @NSManaged var a, b: Int
          @NSManaged func addToCs(_ c: C)
          @NSManaged var cs: Set<C>
          init(x: Int) {}
        }
        class B: A { override init(entity: NSEntityDescription, insertInto c: NSManagedObjectContext?) {} }
        let t = { class T: ValueTransformer { override init() {} } }
        class Other { init(x: Int) {} }
        print(Bundle(for: B.self))
      }
      protocol P: class {}
      """)
    let text = made.texts[0].replacing(#/ +/#) { _ in " " }
    for part in [
      "final class A: NSManagedObject { required init(entity: NSEntityDescription, insertInto context: "
        + "NSManagedObjectContext?) { super.init(entity: entity, insertInto: context) }\n",
      "var a: Int { get { _managedValue(_managedKey_a) }", "var b: Int { get { _managedValue(_managedKey_b) }",
      "func addToCs(_ c: C) { _", "_managedKey_cs) }\n",
      "class B: A { required init(entity: NSEntityDescription, insertInto c: NSManagedObjectContext?) {} }",
      "class T: ValueTransformer { required init() {} }", "class Other { init(x: Int) {} }", "protocol P: class {}",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func overridesMoveIntoTheClass() throws {
    let made = try copies(
      """
      class A: NSManagedObject {
      }
      extension A {
        @objc override public func awakeFromInsert() {
          super.awakeFromInsert()
          setValue(1, forKey: #keyPath(A.x))
        }
        func stays() { }
      #if DEBUG
        override var description: String { "a" }
      #endif
      }
      """)
    let trimmed = made.texts[0].split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }
    #expect(
      trimmed.joined(separator: "\n") == """
        class A: NSManagedObject {

        #sourceLocation(file: "/app/A.swift", line: 4)
                override public func awakeFromInsert() {
            super.awakeFromInsert()
            setValue(1, forKey: "x"          )
          }
        #if (DEBUG)
        #sourceLocation(file: "/app/A.swift", line: 10)
          override var description: String { "a" }
        #endif
        #sourceLocation(file: "/app/A.swift", line: 2)
        }
        extension A {




          func stays() { }
        #if DEBUG

        #endif
        }
        """)
    #expect(made.changes.contains { $0.description == "/app/A.swift:4: A.awakeFromInsert moves into the class" })
  }

  @Test func overridesMoveToAnotherFile() throws {
    let made = try copies(
      "class A: NSManagedObject { }", "import os.log\npublic extension A { override class func entity() -> Int { 1 } }",
      "extension A { override func willSave() { public() }; func a() {} }")
    #expect(made.texts[0].contains("override class public func entity() -> Int { 1 }"))
    #expect(made.texts[0].contains("override func willSave() { public() }"))
    #expect(
      !made.texts[2].contains("willSave") && !made.texts[2].contains(";") && made.texts[2].contains("func a() {}"))
    #expect(made.changes.filter(\.isLeft).isEmpty)
  }

  /// What is private to the file of the extension can be named there alone.
  @Test(arguments: [
    (
      "override func f() { secret() }", "override func f() { self._rewritten_A_f() }",
      "func _rewritten_A_f() { secret() }"
    ),
    (
      "@objc(x) override public class func f(_ a: Int, b: inout C, for d: @escaping () -> Void) async throws -> Int { secret() }",
      "override public class func f(_ a: Int, b: inout C, for d: @escaping () -> Void) async throws -> Int "
        + "{ try await self._rewritten_A_f(a, b: &b, for: d) }", "public class func _rewritten_A_f(_ a: Int, b"
    ),
    (
      "override var v: [Int] { get { secret } set { secret = newValue } }",
      "override var v: [Int] { get { self._rewritten_A_v } set { self._rewritten_A_v = newValue } }",
      "var _rewritten_A_v: [Int] { get { secret } set"
    ),
    (
      "override var v: Int { secret }", "override var v: Int { self._rewritten_A_v }",
      "var _rewritten_A_v: Int { secret }"
    ),
    ("override func f(_ a: Int...) { secret() }", nil, "override func f(_ a: Int...) { secret() }"),
    ("override func f(a: Int = 1) { secret() }", nil, "override func f(a: Int = 1) { secret() }"),
    ("override var v: Int { didSet { secret() } }", nil, "override var v: Int { didSet { secret() } }"),
  ])
  func overridesThatUseWhatIsPrivate(member: String, inClass: String?, inExtension: String) throws {
    for hidden in ["private func secret() {}", "fileprivate extension A { func secret() {} }"] {
      let made = try copies("class A: NSManagedObject { }", "\(hidden)\nextension A { \(member) }")
      #expect(made.texts[1].contains(inExtension))
      if let inClass {
        #expect(made.texts[0].contains(inClass) && made.changes.filter(\.isLeft).isEmpty)
      } else {
        #expect(made.texts[0] == "class A: NSManagedObject { }" && made.changes.filter(\.isLeft).count == 1)
      }
    }
    #expect(
      try copies("class A: B { }; private func secret() {}; extension A { \(member) }").texts[0].contains(
        "\n" + "#source"))
  }

  @Test(arguments: [
    ("extension Foreign { override func f() {} }", "the class is not one of this module"),
    ("class B<T>: NSObject {}; extension B where T == Int { override func f() {} }", "the extension is for some"),
  ])
  func whatCannotMoveIsAWarning(source: String, reason: String) throws {
    let made = try copies(source)
    #expect(made.texts[0] == source)
    #expect(made.changes.first?.isLeft == true && made.changes.first?.text.contains(reason) == true)
  }

  @Test func whatIsOverriddenMoves() throws {
    let made = try copies(
      "class A: NSObject {}; extension A { @objc func f(_ x: Int) {}; @objc func f() {}; @objc func g() {} }",
      "class B: A {}; extension B { override func f() {} }; class C: B { override func g() {} }")
    let bodies = made.texts[0].split(separator: "extension")
    #expect(
      bodies[0].contains("func f() {}") && bodies[0].contains("func g() {}")
        && bodies[1].contains("func f(_ x: Int) {}"))
    #expect(!bodies[0].contains("func f(_") && !bodies[1].contains("func g"))
  }
}
