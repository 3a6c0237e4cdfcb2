using System;
using System.Text.Json.Serialization;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>The request of <c>get_structs</c>, which asks for nothing in particular.</summary>
public sealed record Everything;

/// <summary>The response of <c>get_structs</c>.</summary>
public sealed record Students([property: JsonPropertyName("students")] Student[] All);

/// <summary>A student.</summary>
public sealed record Student(
    string Name, int Friends, Address Home, Address Birth, Date Date, Subject[] Subjects, string[] Emails, School[] Schools);

/// <summary>A place.</summary>
public sealed record Address(string City, int Zip, string Street, short Number);

/// <summary>A day.</summary>
public sealed record Date(int Year, int Month, int Day);

/// <summary>A school.</summary>
public sealed record School(string Name, Address Address, Date Date, string[] Emails);

/// <summary>What is taught.</summary>
public sealed record Subject(int Id, string Title, string Text);

/// <summary>A tree of 4,760 structs with 46,410 strings, every one of them made in the host.</summary>
public class Structs
{
    private readonly Everything _request = new();
    private Plugin _bench = null!;
    private Method _structs = null!;

    [GlobalSetup]
    public void Setup()
    {
        _bench = Libraries.Bench();
        _structs = _bench.Method("get_structs");
        Students students = Tree();
        Student last = students.All[^1];
        if (students.All.Length != 34 || last.Schools[^1].Emails[^1].Length != 37 || last.Subjects[^1].Text.Length != 16)
        {
            throw new InvalidOperationException("these aren't the students");
        }

        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Ours("get_structs", Single = true)]
    public Students Tree() => _structs.Call(_request, StudentJson.Default.Everything, StudentJson.Default.Students);
}

/// <summary>How to read and write them.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Everything))]
[JsonSerializable(typeof(Students))]
internal sealed partial class StudentJson : JsonSerializerContext;
