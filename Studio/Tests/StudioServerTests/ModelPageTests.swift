import Foundation
import FoundationXML
import Hummingbird
import Testing

@testable import StudioServer

/// Models as a graph and in words, and two versions of one side by side.
@Suite struct ModelPageTests {
  private func settings(_ store: SampleStore, _ models: URL...) -> StudioSettings {
    var settings = StudioSettings.of(store.url)
    settings.models = models
    return settings
  }

  private func compare(_ from: String, _ to: String) -> String { Link.query("/compare", [("from", from), ("to", to)]) }

  @Test func aModelIsShownAsAGraphAndInWords() async throws {
    let store = try SampleStore(people: 3)
    let before = try store.contents()
    let models = try SampleModel.people()
    try await Visitor.visit(settings(store, models)) { visitor in
      let ofStore = try await visitor.get("/stores/People.sqlite/model")
      let ofFile = try await visitor.get("/models/People.xcdatamodeld?version=People+2")
      for page in [ofStore, ofFile] {
        #expect(page.status == .ok, "\(page.text)")
        #expect(page.text.contains("password") && page.text.contains("friendOf") && page.text.contains("Cascade"))
        #expect(!page.text.contains("4711") && !page.text.contains("918273"))
      }
      if GraphLayout.installed() == nil {
        #expect(ofStore.text.contains("apt install graphviz"))
      } else {
        #expect(ofStore.text.contains("<svg class=\"model-graph\""), "\(ofStore.text)")
        #expect(ofStore.text.contains("href=\"/stores/People.sqlite/entities/Person\""))
        #expect(
          ofStore.text.contains("marker-end=\"url(#end-one)\"")
            || ofStore.text.contains("marker-end=\"url(#end-many)\""))
      }
      #expect(ofFile.text.contains("nickname") && ofFile.text.contains("nobody"))
      let list = try await visitor.get("/models")
      #expect(list.status == .ok && list.text.contains("People 2 (current)"), "\(list.text)")
    }
    #expect(try store.contents() == before)
  }

  @Test func twoModelsWithoutACommonEntityAreNoVersionsOfOne() async throws {
    let store = try SampleStore(people: 3)
    let text = #"<entity name="Boat"><attribute name="length" optional="YES" attributeType="Double"/></entity>"#
    let other = try SampleModel.write("Boats.xcdatamodeld", in: store.folder, [("one", text)])
    try await Visitor.visit(settings(store, other)) { visitor in
      let page = try await visitor.get(compare("stores/People.sqlite", "models/Boats.xcdatamodeld/one"))
      #expect(page.status == .ok && page.text.contains("No object would be taken along"), "\(page.text)")
      #expect(!page.text.contains("A lightweight migration can do it"))
    }
  }

  @Test func textsOfAModelAreEscaped() async throws {
    let store = try SampleStore(people: 3)
    let name = #"<img src=x onerror=alert(1)>.xcdatamodeld"#
    let version = #"<b>"old"<:b>"#
    let model = try SampleModel.write(
      name, in: store.folder,
      [(version, SampleModel.dangerous), ("new", SampleModel.dangerous.replacing("Cascade", with: "Deny"))])
    let misnamed = try SampleModel.write("Misnamed.xcdatamodeld", in: store.folder, [("one", SampleModel.misnamed)])
    try await Visitor.visit(settings(store, model, misnamed)) { visitor in
      let reference = "models/\(name)"
      let pages = [
        "/models", Link.path("models", name), Link.query(Link.path("models", name), [("version", version)]),
        compare(reference + "/" + version, reference + "/new"), "/models/Misnamed.xcdatamodeld",
      ]
      for path in pages {
        let page = try await visitor.get(path)
        #expect(path.contains("Misnamed") ? page.status.code >= 400 : page.status == .ok, "\(path) \(page.text)")
        for text in ["<script>alert", "<img src=x", "<b>"] { #expect(!page.text.contains(text), "\(path): \(text)") }
        #expect(page.text.contains("&lt;"))
      }
      let page = try await visitor.get(pages[1])
      #expect(page.text.contains("&lt;script&gt;alert(") && page.text.contains("alert(3)"), "\(page.text)")
    }
  }

  @Test func namesAreEscapedInTheGraph() throws {
    let svg = GraphPicture(sketch: Self.hostileSketch, places: Self.places).svg(
      title: SampleModel.hostile, description: SampleModel.hostile)
    #expect(!svg.contains("<script>") && !svg.contains("\"2\"") && !svg.contains("'"), "\(svg)")
    // As XML it has the names as they were, and no elements of theirs.
    let parser = XMLParser(data: Data(svg.utf8))
    let reader = ElementNames()
    parser.delegate = reader
    #expect(parser.parse(), "\(svg)")
    #expect(reader.names.isSubset(of: ["svg", "title", "desc", "defs", "marker", "path", "a", "rect", "text", "g"]))
    #expect(reader.text.contains(SampleModel.hostile))
  }

  private static let hostileSketch: ModelSketch = {
    let box = ModelSketch.Box(
      title: SampleModel.hostile, isAbstract: true, link: "#" + SampleModel.hostile, lines: [SampleModel.hostile],
      width: 80, height: 40)
    let end = ModelSketch.End(
      name: SampleModel.hostile, count: "0...1", deleteRule: SampleModel.hostile, isToMany: true)
    return ModelSketch(
      boxes: [box, box],
      lines: [
        .init(source: 0, destination: 1, forward: end, backward: end, width: 9, height: 9),
        .init(source: 0, destination: 1, forward: nil, backward: nil, width: 0, height: 0),
      ])
  }()

  private static let places: GraphLayout.Places = {
    let curve = (0..<4).map { GraphLayout.Point(x: Double($0), y: 1) }
    return GraphLayout.Places(
      width: 90, height: 90, boxes: [curve[0], curve[3]],
      lines: [(curve: curve, label: curve[1]), (curve: curve, label: nil)])
  }()

  @Test func dotIsToldNoName() throws {
    let sketch = Self.hostileSketch
    let text = GraphLayout.text(of: sketch)
    #expect(!text.contains("script") && !text.contains("token"), "\(text)")
    guard let program = GraphLayout.installed() else { return }
    let layout = GraphLayout(program: program, folder: FileManager.default.temporaryDirectory)
    let places = try layout.places(for: sketch)
    #expect(places.boxes.count == 2 && places.lines.count == 2 && places.boxes[0] != places.boxes[1])
  }

  @Test func withoutDotTheWordsAreThere() async throws {
    let layout = GraphLayout(program: nil, folder: FileManager.default.temporaryDirectory)
    let box = ModelSketch.Box(title: "A", isAbstract: false, link: "#a", lines: [], width: 60, height: 30)
    let content = await GraphDrawing(layout).content(ModelSketch(boxes: [box], lines: []), title: "A")
    #expect(content.svg == nil && content.lack?.contains("apt install graphviz") == true)
  }

  @Test func twoVersionsAreComparedAndLeaveEverythingAsItIs() async throws {
    let store = try SampleStore(people: 3)
    let before = try store.contents()
    let models = try SampleModel.people()
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("studio-place-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var settings = settings(store, models)
    settings.temporaryFolder = place
    try await Visitor.visit(settings) { visitor in
      let (first, second, ofStore) = (
        "models/People.xcdatamodeld/People", "models/People.xcdatamodeld/People 2", "stores/People.sqlite"
      )
      for (from, to) in [(first, second), (ofStore, second)] {
        let page = try await visitor.get(compare(from, to))
        #expect(page.status == .ok, "\(page.text)")
        #expect(page.text.contains("A lightweight migration can do it"), "\(page.text)")
        #expect(page.text.contains("nickname") && page.text.contains("nobody"))
        #expect(
          page.text.contains("ZNICKNAME") && !page.text.contains("4711") && !page.text.contains("918273"),
          "\(page.text)")
        #expect(page.text.contains("Version hashes"))
      }
      // Back to what the store has: the store is a destination here, and nothing of it may be touched.
      let back = try await visitor.get(compare(second, ofStore))
      #expect(back.status == .ok && back.text.contains("What a migration does, step by step"), "\(back.text)")
      #expect(!back.text.contains("4711") && !back.text.contains("918273"))
      let same = try await visitor.get(compare(first, ofStore))
      #expect(same.status == .ok, "\(same.text)")
      #expect(
        same.text.contains("Both versions say the same") || same.text.contains("No migration is needed"), "\(same.text)"
      )
    }
    #expect(try store.contents() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
  }

  @Test func whatNamesNoModelIsRefused() async throws {
    let store = try SampleStore(people: 3)
    let models = try SampleModel.people()
    try await Visitor.visit(settings(store, models)) { visitor in
      let first = "models/People.xcdatamodeld/People"
      for (path, status) in [
        ("/models/Other.xcdatamodeld", 404), ("/models/People.xcdatamodeld?version=None", 404),
        (compare(first, "models/../../etc/passwd"), 404), (compare(first, "/etc/passwd"), 400),
        (compare(first, "stores/Other"), 404),
        ("/stores/People.sqlite/migrate?to=file:///etc/passwd", 400),
      ] {
        let page = try await visitor.get(path)
        #expect(page.status.code == status, "\(path): \(page.status)")
        #expect(!page.text.contains("root:"))
      }
    }
  }
}

private final class ElementNames: NSObject, XMLParserDelegate {
  var names: Set<String> = []
  var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    names.insert(name)
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
