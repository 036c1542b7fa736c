import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// XML of models and mapping models may come from anywhere. Foundation's parser stops the program at some of these.
@Suite struct HostileXMLTests {
  /// Documents that are refused.
  static let refused: [(name: String, xml: String)] = [
    ("a declaration of attributes", "<!DOCTYPE model [<!ATTLIST model x CDATA \"y\">]><model/>"),
    ("a declaration of elements", "<!DOCTYPE model [<!ELEMENT model ANY>]><model/>"),
    ("a notation", "<!DOCTYPE model [<!NOTATION n SYSTEM \"q\">]><model/>"),
    ("a notation with a public name", "<!DOCTYPE model [<!NOTATION n PUBLIC \"q\">]><model/>"),
    (
      "an entity that is not text",
      "<!DOCTYPE model [<!NOTATION n SYSTEM \"q\"><!ENTITY u SYSTEM \"f\" NDATA n>]><model name=\"&u;\"/>"
    ),
    (
      "entities that grow",
      "<!DOCTYPE model [<!ENTITY a0 \"lol\">"
        + (1...12).map { "<!ENTITY a\($0) \"" + String(repeating: "&a\($0 - 1);", count: 10) + "\">" }.joined()
        + "]><model x=\"&a12;\">&a12;</model>"
    ),
    ("a file as an entity", "<!DOCTYPE model [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><model>&e;</model>"),
    ("an entity that nobody declares", "<model x=\"&e;\"/>"),
    ("a million elements in each other", String(repeating: "<a>", count: 1_000_000)),
    ("a hundred thousand attributes", "<model " + (0..<100_000).map { "a\($0)=''" }.joined(separator: " ") + "/>"),
    ("no element", "<!-- nothing -->"), ("two documents", "<model/><model/>"), ("the end of nothing", "</model>"),
    ("one end too many", "<model></model></model>"), ("ends that cross", "<model><a><b></a></b></model>"),
    ("an attribute twice", "<model a='1' a='2'/>"),
    ("another encoding", "<?xml version='1.0' encoding='EBCDIC-CP-US'?><a/>"),
  ]

  @Test(arguments: refused.indices)
  func hostileDocumentsAreRefused(index: Int) throws {
    let (name, xml) = Self.refused[index]
    #expect(throws: ModelProblem.self, "\(name)") { try XMLElementTree.parse(Data(xml.utf8)) }
    #expect(throws: ModelProblem.self, "\(name)") { try SourceMappingReader.read(Data(xml.utf8)) }
  }

  /// Foundation's parser crashes at the instruction, and takes no attribute of this length.
  @Test func unusualDocumentsAreRead() throws {
    let long = String(repeating: "ä", count: 5_300_000)
    let xml =
      "\u{FEFF}<?xml version='1.0' encoding='utf-8'?><?b c?><!-- d --><model name='\(long)'><?e?><a/>&lt;</model>"
    let tree = try XMLElementTree.parse(Data(xml.utf8))
    #expect(tree.name == "model" && tree["name"] == long && tree.children.map(\.name) == ["a"])
  }

  @Test func problemsNameTheirLine() throws {
    let problem = #expect(throws: ModelProblem.self) {
      try XMLElementTree.parse(Data("<model>\n<a>\n</b></model>".utf8))
    }
    #expect(problem?.reason == "The file is not well-formed XML (line 3). </b> ends what it does not begin.")
  }

  /// A chain of entities, and one of composites each of which has two of the next.
  @Test func deepModelsAreRefused() throws {
    let chain = (1...2_000).map { "<entity name='E\($0)' parentEntity='E\($0 - 1)'/>" }.joined()
    let composites = (0..<60).map { number in
      "<composite name='C\(number)'>"
        + ["a", "b"].map { "<attribute name='\($0)' attributeType='Composite' composite='C\(number + 1)'/>" }.joined()
        + "</composite>"
    }.joined()
    for parts in [
      "<entity name='E0'/>" + chain,
      "<entity name='E'><attribute name='a' attributeType='Composite' composite='C0'/></entity>\(composites)"
        + "<composite name='C60'><attribute name='x' attributeType='String'/></composite>",
    ] {
      var reader = try SourceModelReader(root: XMLElementTree.parse(Data("<model>\(parts)</model>".utf8)))
      #expect(throws: ModelProblem.self) { try reader.read(into: NSManagedObjectModel()) }
    }
  }
}
