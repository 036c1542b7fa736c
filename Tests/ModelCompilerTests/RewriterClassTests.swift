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

  @Test func aPropertyWithoutValueKeepsTheInitializerAway() throws {
    let made = try copies("class A: NSManagedObject {\n  let a: Int\n  init(x: Int) { }\n}")
    #expect(!made.texts[0].contains("required"))
    #expect(
      made.changes.first { $0.isLeft }?.description.hasPrefix(
        "/app/A.swift:1:1: warning: A needs a 'required init(entity:") == true)
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
      "private let secret = 1; extension A { override func awakeFromFetch() { print(secret) } }\n"
        + "extension A { override func willSave() { public() } }; func secret2() {}")
    #expect(made.texts[0].contains("override class public func entity() -> Int { 1 }"))
    #expect(made.texts[0].contains("override func willSave() { public() }"))
    #expect(!made.texts[0].contains("secret"))
    #expect(made.texts[2].contains("override func awakeFromFetch() { print(secret) }"))
    #expect(made.changes.filter(\.isLeft).map(\.description).count == 1)
    #expect(
      made.changes.first(where: \.isLeft)?.text.contains("it uses 'secret', which is private to this file") == true)
  }
}
