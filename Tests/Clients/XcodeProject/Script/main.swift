import Foundation

// A command-line tool of an Xcode project: top-level code, which the package manager takes from a file of this name alone.
@objc class Task: NSObject {
    @objc var title = "passed"
}

let keys = [#keyPath(Task.title), joined(#keyPath(Task.title), 2)]
precondition(keys == ["title", "title-2"])
print(Task().title)
