import CocoaFoundation
import Testing

/// Observers of notifications that are told through a method.
@Suite struct SelectorObserverTests {
  private static let name = Notification.Name("SelectorObserverTests")

  private final class Observer: NSObject, OCDCallableByName {
    static let callableMethods = [
      OCDCallableMethod("note:", Observer.note), OCDCallableMethod("bridged:", Observer.bridged),
      OCDCallableMethod("plain", Observer.plain),
    ]
    let center: NotificationCenter
    var heard: [String] = []

    init(_ center: NotificationCenter) { self.center = center }
    deinit { center.removeObserver(self) }

    func note(_ notification: Notification) { heard.append("note \(notification.userInfo?["text"] ?? "-")") }
    func bridged(_ notification: NSNotification) { heard.append("bridged \(notification.name.rawValue)") }
    func plain() { heard.append("plain") }
  }

  @Test(arguments: ["note:": "note x", "bridged:": "bridged SelectorObserverTests", "plain": "plain"])
  func theMethodIsCalled(selector: String, text: String) {
    let center = NotificationCenter()
    let observer = Observer(center)
    center.addObserver(observer, selector: Selector(selector), name: Self.name, object: nil)
    center.post(name: Self.name, object: nil, userInfo: ["text": "x"])
    center.post(name: Notification.Name("Other"), object: nil)
    #expect(observer.heard == [text])
  }

  @Test func aSenderIsTheOnlyOneHeard() {
    let center = NotificationCenter()
    let observer = Observer(center)
    let sender = NSObject(), other = NSObject()
    center.addObserver(observer, selector: "plain", name: nil, object: sender)
    center.post(name: Self.name, object: other)
    center.post(name: Self.name, object: sender)
    #expect(observer.heard == ["plain"])
  }

  @Test func removalIsByNameAndSender() {
    let center = NotificationCenter()
    let observer = Observer(center)
    let other = Notification.Name("Other")
    center.addObserver(observer, selector: "plain", name: Self.name, object: nil)
    center.addObserver(observer, selector: "note:", name: other, object: nil)
    center.removeObserver(observer, name: Self.name, object: nil)
    center.post(name: Self.name, object: nil)
    #expect(observer.heard.isEmpty)
    center.post(name: other, object: nil)
    #expect(observer.heard == ["note -"])
    center.removeObserver(observer)
    center.post(name: other, object: nil)
    #expect(observer.heard.count == 1)
  }

  @Test func observersAreNotRetained() {
    let center = NotificationCenter()
    weak var gone: Observer?
    do {
      let observer = Observer(center)
      gone = observer
      center.addObserver(observer, selector: "plain", name: Self.name, object: nil)
    }
    #expect(gone == nil)
    center.post(name: Self.name, object: nil)
  }

  @Test func tokensOfBlocksAreStillRemoved() {
    let center = NotificationCenter()
    nonisolated(unsafe) var count = 0
    let token = center.addObserver(forName: Self.name, object: nil, queue: nil) { _ in count += 1 }
    center.removeObserver(token)
    center.post(name: Self.name, object: nil)
    #expect(count == 0)
  }

  @Test func urlsOfResourcesAreURLs() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "Bundle-\(UUID())")
    try FileManager.default.createDirectory(at: folder.appending(path: "X.momd"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "X.momd/X 2.mom"))
    let bundle = try #require(Bundle(path: folder.path))
    let urls = bundle.urls(forResourcesWithExtension: "mom", subdirectory: "X.momd") ?? []
    #expect(urls.map { $0.deletingPathExtension().lastPathComponent } == ["X 2"])
    #expect(bundle.urls(forResourcesWithExtension: "mom", subdirectory: nil)?.isEmpty ?? true)
  }
}
