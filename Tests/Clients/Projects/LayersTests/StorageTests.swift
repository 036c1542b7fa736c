//
//  StorageTests.swift
//  LayersTests
//

internal import CoreData
internal import Layers
import Testing

@Suite struct StorageTests {

    @Test func requestsAreTyped() throws {
        let untyped: Any = Task.all()
        let request = try #require(untyped as? NSFetchRequest<Task>)
        #expect(request.entityName == "Task" && untyped is NSFetchRequest<Task>)
        let other = try #require(Task.all() as? NSFetchRequest<NSFetchRequestResult>, "of the same class")
        #expect((other as! NSFetchRequest<Task>).entityName == "Task")
        let none: Any = 1
        #expect(none as? NSFetchRequest<Task> == nil && !(none is NSFetchRequest<Task>))
    }

    @Test func storageCounts() throws {
        #expect(try Storage(titles: ["a", "b"]).count() == 2)
        #expect("\(Filters.titled("a"))" == "title == \"a\"" && Filters.comparison("a").predicateOperatorType == .equalTo)
    }

}
